// The language menu.
import { chooseLanguage, language, NAMES, t } from "../text";

export function LanguageChoice() {
  return (
    <select
      class="language"
      aria-label={t("language")}
      value={language}
      onChange={(event) => chooseLanguage(event.currentTarget.value)}
    >
      {Object.entries(NAMES).map(([tag, name]) => (
        <option key={tag} value={tag}>
          {name}
        </option>
      ))}
    </select>
  );
}

// Numbers of the board with what is known of each: a hidden map as far as it is open, a sea, what a player owns.
import { maybe } from "../../text";
import { label, type Numbers, target } from "./view";

export function NumberList({ name, numbers }: { name: string; numbers: Numbers | undefined }) {
  if (!numbers) return null;
  return (
    <ul class={`number-list of-${name}`} aria-label={label(name)}>
      {Object.entries(numbers).map(([number, known]) => (
        <li key={number} class={typeof known === "string" ? `is-${known}` : undefined}>
          {target(number)}
          <small>{maybe(`word.${name}.${known}`) ?? maybe(`word.${name}.n`, { n: known }) ?? known}</small>
        </li>
      ))}
    </ul>
  );
}

// A Lovelace card for one dartboard, without a build step: copy it to `www/oche-card.js` of Home Assistant's configuration,
// add `/local/oche-card.js` as a resource (JavaScript module), and write `type: custom:oche-card`, `board: lounge`.
// `prefix: dartboard_lounge` names the entities where they were renamed.

const STYLE = `
  ha-card, .card { display: block; padding: 16px; }
  header { display: flex; justify-content: space-between; gap: 8px; font-weight: 500; }
  ol { margin: 12px 0; padding: 0; list-style: none; }
  li { display: flex; justify-content: space-between; padding: 4px 8px; border-radius: 6px; font-size: 1.2em; }
  li.turn { background: var(--secondary-background-color, #eee); font-weight: 700; }
  li span:first-child { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  output { font-variant-numeric: tabular-nums; }
  footer { display: flex; align-items: center; gap: 8px; }
  footer output { flex: 1; min-height: 1.5em; }
  button { padding: 8px 16px; border: 1px solid var(--divider-color, #999); border-radius: 6px; background: none;
    color: var(--primary-text-color, #000); font: inherit; cursor: pointer; }
`;

class OcheCard extends HTMLElement {
  setConfig(config) {
    if (!config.board && !config.prefix) throw new Error("Name the board: board: lounge");
    const prefix = config.prefix ?? `dartboard_${config.board.replaceAll("-", "_")}`;
    this.entities = {
      match: `sensor.${prefix}_match`,
      turn: `sensor.${prefix}_turn`,
      darts: `sensor.${prefix}_darts`,
      fault: `binary_sensor.${prefix}_fault`,
      next: `button.${prefix}_next`,
      undo: `button.${prefix}_undo`,
    };
    this.title = config.title ?? config.board ?? "";
  }

  set hass(hass) {
    this._hass = hass;
    if (!this.shadowRoot) this.build();
    const state = (name) => hass.states[this.entities[name]];
    const match = state("match");
    const turn = state("turn")?.state;
    const players = match?.attributes.players ?? [];
    this.part("header").replaceChildren(
      text("span", [this.title, match?.attributes.game].filter(Boolean).join(" · ")),
      text("span", state("fault")?.state === "on" ? "⚠" : ""),
    );
    this.part("ol").replaceChildren(
      ...players.map((player) => {
        const row = document.createElement("li");
        row.className = player.name === turn ? "turn" : "";
        row.append(text("span", player.name), text("output", String(player.score)));
        return row;
      }),
    );
    const darts = state("darts")?.state ?? "";
    this.part("footer output").textContent = ["unknown", "unavailable", "None"].includes(darts) ? "" : darts;
    for (const button of this.shadowRoot.querySelectorAll("button")) button.disabled = players.length === 0;
  }

  build() {
    this.attachShadow({ mode: "open" });
    const style = text("style", STYLE);
    // Home Assistant's own card; a page without it shows the same in a plain element.
    const card = document.createElement(customElements.get("ha-card") ? "ha-card" : "div");
    card.className = "card";
    const footer = document.createElement("footer");
    footer.append(document.createElement("output"), this.button("undo", "↶"), this.button("next", "→"));
    card.append(document.createElement("header"), document.createElement("ol"), footer);
    this.shadowRoot.append(style, card);
  }

  button(name, sign) {
    const button = text("button", sign);
    button.setAttribute("aria-label", name);
    button.addEventListener("click", () =>
      this._hass.callService("button", "press", { entity_id: this.entities[name] }),
    );
    return button;
  }

  part(selector) {
    return this.shadowRoot.querySelector(selector);
  }

  getCardSize() {
    return 4;
  }

  static getStubConfig() {
    return { board: "lounge" };
  }
}

function text(tag, content) {
  const element = document.createElement(tag);
  element.textContent = content;
  return element;
}

customElements.define("oche-card", OcheCard);
window.customCards = [...(window.customCards ?? []), { type: "oche-card", name: "oche", description: "A dartboard" }];

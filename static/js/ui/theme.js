/* A classic script in <head>: the theme is set before the first paint, so nothing flashes. */
(() => {
  const THEMES = ["auto", "light", "dark"];
  const root = document.documentElement;
  const read = () => {
    try {
      const kept = localStorage.getItem("theme");
      return THEMES.includes(kept) ? kept : "auto";
    } catch {
      return "auto"; // storage is refused in some private windows
    }
  };
  const apply = (theme) => {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    /** @type {NodeListOf<HTMLInputElement>} */
    const radios = document.querySelectorAll("[data-color-scheme] input");
    for (const radio of radios) {
      radio.checked = radio.value === theme;
    }
  };

  root.classList.add("js");
  apply(read());
  document.addEventListener("DOMContentLoaded", () => apply(read()));
  document.addEventListener("change", (event) => {
    const target = /** @type {HTMLInputElement} */ (event.target);
    if (!target.closest("[data-color-scheme]")) return;
    try {
      localStorage.setItem("theme", target.value);
    } catch {
      // the choice then lasts as long as the page
    }
    apply(target.value);
  });
  addEventListener("storage", (event) => {
    if (event.key === "theme") apply(read());
  });
})();

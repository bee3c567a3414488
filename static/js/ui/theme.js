/* A classic script in <head>: it sets the theme before the first paint, so that nothing flashes. */
(() => {
  const THEMES = ["auto", "light", "dark"];
  const root = document.documentElement;
  const read = () => {
    try {
      const stored = localStorage.getItem("theme");
      return THEMES.includes(stored) ? stored : "auto";
    } catch {
      return "auto"; // some private windows refuse storage
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
      // without storage, the choice lasts until the page is closed
    }
    apply(target.value);
  });
  addEventListener("storage", (event) => {
    if (event.key === "theme") apply(read());
  });
})();

/* A classic script in <head>: the theme is set before the first paint, so nothing flashes. */
(() => {
  const root = document.documentElement;
  const read = () => {
    try {
      return localStorage.getItem("theme") || "auto";
    } catch {
      return "auto"; // storage is refused in some private windows
    }
  };
  const apply = (theme) => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
    for (const radio of document.querySelectorAll("input[name=theme]")) {
      radio.checked = radio.value === theme;
    }
  };

  root.classList.add("js");
  apply(read());
  document.addEventListener("DOMContentLoaded", () => apply(read()));
  document.addEventListener("change", (event) => {
    if (event.target.name !== "theme") return;
    try {
      localStorage.setItem("theme", event.target.value);
    } catch {
      // the choice then lasts as long as the page
    }
    apply(event.target.value);
  });
  addEventListener("storage", (event) => {
    if (event.key === "theme") apply(read());
  });
})();

/* Every htmx request carries the CSRF token of the page. */
document.addEventListener("htmx:configRequest", (event) => {
  const token = document.querySelector('meta[name="csrf-token"]')?.getAttribute("content");
  if (token) event.detail.headers["X-CSRFToken"] = token;
});

/* Send the page's CSRF token with every htmx request. */
document.addEventListener("htmx:configRequest", (event) => {
  const token = document.querySelector('meta[name="csrf-token"]')?.getAttribute("content");
  if (token) event.detail.headers["X-CSRFToken"] = token;
});

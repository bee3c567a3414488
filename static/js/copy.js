/* Copies what stands in the element that a button's data-copy names. */

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  getSelection().selectAllChildren(source); // there to copy by hand where the clipboard is closed
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.firstChild.textContent = "Copied";
  } catch {
    button.firstChild.textContent = "Selected";
  }
});

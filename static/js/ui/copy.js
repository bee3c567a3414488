/* Copy the text of the element that a button's data-copy names. */

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  // Select it, so that it can be copied by hand if the clipboard is unavailable.
  if (source instanceof HTMLInputElement) source.select();
  else getSelection().selectAllChildren(source);
  try {
    await navigator.clipboard.writeText(source instanceof HTMLInputElement ? source.value : source.textContent);
    button.firstChild.textContent = "Copied";
  } catch {
    button.firstChild.textContent = "Selected";
  }
});

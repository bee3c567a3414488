/* Remember on this device which upload belongs to which file, so that choosing the same file again
   continues its upload. A file is recognized by its name, size and last change. */

function keyOf(project, file) {
  return `vericap-upload:${project}:${file.name}:${file.size}:${file.lastModified}`;
}

export function remember(project, file, itemUrl) {
  try {
    localStorage.setItem(keyOf(project, file), itemUrl);
  } catch {
    // Without storage an upload starts again after a reload; nothing else is lost.
  }
}

export function recall(project, file) {
  try {
    return localStorage.getItem(keyOf(project, file));
  } catch {
    return null;
  }
}

export function forget(project, file) {
  try {
    localStorage.removeItem(keyOf(project, file));
  } catch {
    // nothing was remembered
  }
}

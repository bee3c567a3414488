/* Load the next clip's picture and video once this one has loaded enough. */

const PATIENCE_MS = 8000;

export function preloadNext() {
  const urls = (document.getElementById("upcoming")?.dataset.urls ?? "").split(" ").filter(Boolean);
  if (urls.length === 0 || navigator.connection?.saveData) return;
  const load = () => {
    for (const url of urls) {
      const link = document.createElement("link");
      link.rel = "prefetch";
      link.href = url;
      document.head.append(link);
    }
  };
  const whenIdle = () => void (window.requestIdleCallback ?? setTimeout)(load);
  /** @type {HTMLVideoElement | null} */
  const video = document.querySelector("[data-player] video");
  if (!video || video.readyState === HTMLMediaElement.HAVE_ENOUGH_DATA) return whenIdle();
  const timer = setTimeout(whenIdle, PATIENCE_MS);
  video.addEventListener("canplaythrough", () => {
    clearTimeout(timer);
    whenIdle();
  }, { once: true });
}

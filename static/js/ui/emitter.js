/* A source of events with a detail. */

export class Emitter extends EventTarget {
  /**
   * @param {string} name
   * @param {((event: CustomEvent) => void) | EventListenerObject} listener
   */
  addEventListener(name, listener) {
    super.addEventListener(name, /** @type {EventListener} */ (listener));
  }

  /**
   * @param {string} name
   * @param {unknown} [detail]
   */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

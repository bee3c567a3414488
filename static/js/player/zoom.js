/* Zoom into the picture with keys or Ctrl and the wheel; drag or press Shift and an arrow to pan. */

const MAXIMUM = 8;
const STEP = 1.5;
const PAN = 0.1; // share of the visible part that one key moves

export class Zoom {
  constructor(stage, video) {
    this.stage = stage;
    this.video = video;
    this.scale = 1;
    this.x = 0; // offset of the picture, as a share of the stage
    this.y = 0;
    this.dragged = false;
    stage.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return; // the wheel alone scrolls the page
      event.preventDefault();
      this.by(event.deltaY < 0 ? STEP : 1 / STEP);
    }, { passive: false });
    stage.addEventListener("pointerdown", (event) => this.begin(event));
    stage.addEventListener("pointermove", (event) => this.drag(event));
    // A click that ends a drag neither plays nor pauses.
    stage.addEventListener("click", (event) => this.dragged && event.stopPropagation(), { capture: true });
  }

  by(factor) {
    this.scale = Math.min(Math.max(this.scale * factor, 1), MAXIMUM);
    if (this.scale < 1.01) this.scale = 1;
    this.draw();
  }

  /**
   * Move the view by steps. Return false if nothing is zoomed.
   *
   * @param {number[]} steps across and down
   */
  pan(...[across, down]) {
    if (this.scale === 1) return false;
    this.x -= across * PAN;
    this.y -= down * PAN;
    this.draw();
    return true;
  }

  begin({ clientX, clientY, button }) {
    this.dragged = false;
    this.from = button === 0 && this.scale > 1 ? { clientX, clientY, x: this.x, y: this.y } : null;
  }

  drag({ clientX, clientY, buttons }) {
    if (!this.from || !buttons) return;
    const { width, height } = this.stage.getBoundingClientRect();
    const [across, down] = [clientX - this.from.clientX, clientY - this.from.clientY];
    this.dragged ||= Math.hypot(across, down) > 4;
    this.x = this.from.x + across / width;
    this.y = this.from.y + down / height;
    this.draw();
  }

  draw() {
    const most = (this.scale - 1) / 2; // keep the picture within the stage
    this.x = Math.min(Math.max(this.x, -most), most);
    this.y = Math.min(Math.max(this.y, -most), most);
    const isZoomed = this.scale > 1;
    this.video.style.transform = isZoomed ? `translate(${this.x * 100}%, ${this.y * 100}%) scale(${this.scale})` : "";
    this.stage.toggleAttribute("data-zoomed", isZoomed);
  }
}

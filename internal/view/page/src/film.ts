// What stands beside each other as one picture, and a stretch of time as a film of such pictures.
import { Stage } from "./stage";

const rate = 30; // pictures a second

// picture draws a time.
export function picture(stages: Stage[], time: number): HTMLCanvasElement {
  const c = document.createElement("canvas");
  for (const s of stages) s.draw(time);
  c.width = stages.reduce((sum, s) => sum + s.extent[0], 0);
  c.height = Math.max(...stages.map((s) => s.extent[1]));
  paste(stages, c);
  return c;
}

function paste(stages: Stage[], on: HTMLCanvasElement): void {
  let left = 0;
  for (const s of stages) {
    s.paste(on.getContext("2d")!, left);
    left += s.extent[0];
  }
}

export class Film {
  private readonly canvas: HTMLCanvasElement;
  private readonly recorder: MediaRecorder;
  private readonly parts: Blob[] = [];
  // over is told once there is all of it.
  constructor(private readonly stages: Stage[], time: number, over: (film: Blob) => void) {
    this.canvas = picture(stages, time);
    this.recorder = new MediaRecorder(this.canvas.captureStream(rate), { mimeType: "video/webm" });
    this.recorder.addEventListener("dataavailable", (e) => this.parts.push(e.data));
    this.recorder.addEventListener("stop", () => over(new Blob(this.parts, { type: "video/webm" })));
    this.recorder.start();
  }

  // take takes the frame that has just been drawn.
  take(): void {
    paste(this.stages, this.canvas);
  }

  end(): void {
    if (this.recorder.state !== "inactive") this.recorder.stop();
  }
}

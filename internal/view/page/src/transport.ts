// Whom the page asks: the server that it comes from or, in a site that has none, the simulator in a worker of its own.

// simulator is there in such a site: the program, packed, and the script that runs it.
declare global { interface Window { simulator?: { version: string; wasm: string; script: string } } }
export const served = !window.simulator;

// strange says that the simulator is not of the page's version, of which it would understand little; "" where it is.
export function strange(): string {
  const own = document.body.dataset.version, its = window.simulator?.version;
  if (served || own === its) return "";
  return `simulator.js is of version ${its}, this page of ${own}: write both anew with caucus view --export.`;
}

// ask asks for a run, or for what there is to be run.
export function ask(path: string, body?: string, signal?: AbortSignal): Promise<Response> {
  return window.simulator ? compute(path, body ?? document.getElementById("begin")!.textContent!, signal) : request(path, body, signal);
}

// request shows the key that the page's address has behind #, which no server gets to see otherwise.
function request(path: string, body?: string, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { Authorization: "Bearer " + location.hash.slice(1) };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  return fetch(path, { method: body === undefined ? "GET" : "POST", headers, body, signal });
}

// unpack reads what has been packed into text.
export function unpack(text: string): ReadableStream<Uint8Array> {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
}

let program: Promise<WebAssembly.Module> | undefined, script = "", spare: Worker | undefined;

// hire gives a worker that is ready, and makes the next one.
async function hire(): Promise<Worker> {
  program ??= new Response(unpack(window.simulator!.wasm)).arrayBuffer().then((b) => WebAssembly.compile(b));
  script ||= URL.createObjectURL(new Blob([window.simulator!.script], { type: "text/javascript" }));
  const module = await program;
  const fresh = () => {
    const w = new Worker(script);
    w.postMessage(module);
    return w;
  };
  const worker = spare ?? fresh();
  spare = fresh();
  return worker;
}

// compute answers as a server does, from a worker that has this to do alone: who does not want the answer any more ends it,
// whatever it is at, and its memory is free again.
async function compute(path: string, body: string, signal?: AbortSignal): Promise<Response> {
  const worker = await hire();
  signal?.throwIfAborted();
  return new Promise((answer, refuse) => {
    let out: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
    const whole = new Response(new ReadableStream<Uint8Array<ArrayBuffer>>({ start: (c) => { out = c; }, cancel: () => worker.terminate() }));
    signal?.addEventListener("abort", () => { worker.terminate(); out!.error(signal.reason); refuse(signal.reason); });
    const over = (wrong: string) => {
      worker.terminate();
      if (wrong) answer(new Response(wrong, { status: 422 })); // unless there has been an answer
      if (wrong) out!.error(new Error(wrong)); else out!.close();
    };
    worker.onerror = (e) => over(e.message);
    worker.onmessage = ({ data }: MessageEvent<Uint8Array<ArrayBuffer> | string>) => {
      if (typeof data === "string") return over(data);
      answer(whole);
      out!.enqueue(data);
    };
    worker.postMessage({ path, body });
  });
}

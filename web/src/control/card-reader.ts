// What can read a card here: the camera, where the browser finds QR codes, and NFC. Both need HTTPS, or the machine itself.

interface Barcode {
  rawValue: string;
}

interface Detector {
  detect(source: HTMLVideoElement): Promise<Barcode[]>;
}

interface TagRecord {
  recordType: string;
  data?: DataView;
}

interface TagReader extends EventTarget {
  scan(options: { signal: AbortSignal }): Promise<void>;
  write(message: { records: { recordType: "url"; data: string }[] }, options: { signal: AbortSignal }): Promise<void>;
}

interface Readers {
  BarcodeDetector?: new (options: { formats: string[] }) => Detector;
  NDEFReader?: new () => TagReader;
}

const LOOK_MS = 200;
const found = () => window as unknown as Readers;

export function canSee(): boolean {
  return found().BarcodeDetector !== undefined && navigator.mediaDevices !== undefined;
}

export function canTouch(): boolean {
  return found().NDEFReader !== undefined;
}

/** Shows the camera in a video, and tells each QR code that it sees, until the signal. Rejects without permission. */
export async function watchCamera(video: HTMLVideoElement, tell: (text: string) => void, end: AbortSignal) {
  const { BarcodeDetector } = found();
  if (!BarcodeDetector) return;
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  const stop = () => stream.getTracks().forEach((track) => track.stop());
  end.addEventListener("abort", stop);
  if (end.aborted) return stop();
  video.srcObject = stream;
  await video.play();
  const detector = new BarcodeDetector({ formats: ["qr_code"] });
  while (!end.aborted) {
    // A frame that is not there yet is an error, and the next one is not.
    const codes = await detector.detect(video).catch((): Barcode[] => []);
    if (!end.aborted) codes.forEach(({ rawValue }) => tell(rawValue));
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Tells the link or the text of each tag that touches this phone, until the signal. Rejects without permission. */
export async function watchTags(tell: (text: string) => void, end: AbortSignal) {
  const { NDEFReader } = found();
  if (!NDEFReader) return;
  const reader = new NDEFReader();
  reader.addEventListener("reading", (event) => {
    const { records } = (event as unknown as { message: { records: TagRecord[] } }).message;
    for (const { recordType, data } of records)
      // A league's card is a text, a node's card a link.
      if (["url", "text"].includes(recordType) && data && !end.aborted) tell(new TextDecoder().decode(data));
  });
  await reader.scan({ signal: end });
}

/** Writes a link to the next tag that touches this phone. Rejects without permission, and at the signal. */
export async function writeTag(link: string, end: AbortSignal) {
  const { NDEFReader } = found();
  if (NDEFReader) await new NDEFReader().write({ records: [{ recordType: "url", data: link }] }, { signal: end });
}

// Sounds generated in the browser from tones and noise, without files.

export type Sound =
  "dart" | "miss" | "bust" | "award" | "maximum" | "checkout" | "won" | "conquest" | "clash" | "out" | "card" | "dice";

/** A tone that glides from one pitch to another, in Hz; times in seconds. */
interface Tone {
  at: number;
  lasts: number;
  from: number;
  to?: number;
  wave?: OscillatorType;
  loud?: number;
}

/** Filtered noise, for impacts and rattling. */
interface Noise {
  at: number;
  lasts: number;
  /** The centre frequency of the filter, in Hz. */
  noise: number;
  loud?: number;
}

type Part = Tone | Noise;

/** Notes in sequence, at this interval in seconds. */
function fanfare(notes: number[], apart: number, wave: OscillatorType = "triangle"): Tone[] {
  return notes.map((from, i) => ({ at: i * apart, lasts: i === notes.length - 1 ? 0.9 : apart * 1.6, from, wave }));
}

const SOUNDS: Record<Sound, Part[]> = {
  dart: [
    { at: 0, lasts: 0.05, noise: 2600, loud: 0.5 },
    { at: 0, lasts: 0.09, from: 190, to: 70, wave: "sine", loud: 0.8 },
  ],
  miss: [{ at: 0, lasts: 0.14, noise: 420, loud: 0.5 }],
  bust: [
    { at: 0, lasts: 0.3, from: 233, to: 220, wave: "sawtooth", loud: 0.35 },
    { at: 0.3, lasts: 0.75, from: 175, to: 98, wave: "sawtooth", loud: 0.35 },
  ],
  maximum: [
    ...fanfare([523, 659, 784, 1047], 0.11, "sawtooth").map((tone) => ({ ...tone, loud: 0.25 })),
    ...fanfare([262, 330, 392, 523], 0.11).map((tone) => ({ ...tone, loud: 0.5 })),
  ],
  award: fanfare([659, 784, 988], 0.09).map((tone) => ({ ...tone, loud: 0.6 })),
  checkout: fanfare([523, 784, 1047], 0.13),
  // After the fanfare of the checkout, which comes with the same dart.
  won: [...fanfare([523, 523, 523, 698, 880, 1047], 0.15), ...fanfare([349, 349, 349, 440, 523, 698], 0.15)].map(
    (tone) => ({ ...tone, at: tone.at + 0.5 }),
  ),
  conquest: [
    { at: 0, lasts: 0.35, from: 110, to: 45, wave: "sine", loud: 1 },
    { at: 0, lasts: 0.25, noise: 180, loud: 0.7 },
    { at: 0.3, lasts: 0.35, from: 98, to: 45, wave: "sine", loud: 1 },
    ...fanfare([294, 392, 587], 0.2, "sawtooth").map((tone) => ({ ...tone, at: tone.at + 0.35, loud: 0.3 })),
  ],
  clash: [
    { at: 0, lasts: 0.25, noise: 5200, loud: 0.4 },
    { at: 0, lasts: 0.4, from: 1870, to: 1790, wave: "square", loud: 0.1 },
    { at: 0.02, lasts: 0.35, from: 2630, to: 2560, wave: "square", loud: 0.08 },
  ],
  out: [
    { at: 0, lasts: 0.35, from: 330, to: 300, loud: 0.5 },
    { at: 0.35, lasts: 0.35, from: 277, to: 250, loud: 0.5 },
    { at: 0.7, lasts: 0.9, from: 220, to: 140, loud: 0.5 },
  ],
  card: [{ at: 0, lasts: 0.06, noise: 3800, loud: 0.3 }],
  dice: [0, 0.07, 0.12, 0.2, 0.31].map((at) => ({ at, lasts: 0.04, noise: 1700, loud: 0.4 })),
};

let context: AudioContext | undefined;

/** Time in which a browser that allows sound starts it; one that requires a touch does not. */
const AWAKE_WITHIN_MS = 500;

/**
 * Called when sound is switched on: many browsers allow sound only after a touch.
 *
 * Resolves when sound is running, which takes a moment even if the browser allows it at once.
 */
export function wakeSound(): Promise<AudioContext> {
  const audio = (context ??= new AudioContext());
  return audio.resume().then(() => audio);
}

export function play(sound: Sound): void {
  const asked = performance.now();
  void wakeSound().then((audio) => {
    // Otherwise all sounds that waited for a touch would play at once.
    if (performance.now() - asked > AWAKE_WITHIN_MS) return;
    for (const part of SOUNDS[sound]) start(audio, part);
  });
}

function start(audio: AudioContext, part: Part): void {
  const begins = audio.currentTime + part.at;
  const ends = begins + part.lasts;
  const volume = audio.createGain();
  volume.gain.setValueAtTime(0.0001, begins);
  volume.gain.exponentialRampToValueAtTime(0.4 * (part.loud ?? 0.5), begins + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, ends);
  volume.connect(audio.destination);
  const source = "noise" in part ? hiss(audio, part, volume) : tone(audio, part, volume, begins, ends);
  source.start(begins);
  source.stop(ends);
}

function tone(audio: AudioContext, part: Tone, volume: GainNode, begins: number, ends: number): OscillatorNode {
  const source = audio.createOscillator();
  source.type = part.wave ?? "triangle";
  source.frequency.setValueAtTime(part.from, begins);
  source.frequency.exponentialRampToValueAtTime(part.to ?? part.from, ends);
  source.connect(volume);
  return source;
}

function hiss(audio: AudioContext, part: Noise, volume: GainNode): AudioBufferSourceNode {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * part.lasts), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
  const filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = part.noise;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  source.connect(filter).connect(volume);
  return source;
}

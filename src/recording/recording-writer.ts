import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { exactJson } from './exact-json.ts';
import { type RecordedStep, recordingHeader } from './recording.ts';

/** Appends the steps of a recording to a file that only its owner can read. */
export class RecordingWriter {
  readonly #stream: WriteStream;
  #failure: Error | undefined;

  private constructor(stream: WriteStream) {
    this.#stream = stream;
    stream.on('error', (error) => {
      this.#failure = error;
    });
  }

  /** Creates the file. Rejects when it exists or cannot be created. */
  static async create(file: string): Promise<RecordingWriter> {
    const stream = createWriteStream(file, { flags: 'wx', mode: 0o600 });
    await once(stream, 'open');
    const writer = new RecordingWriter(stream);
    stream.write(`${JSON.stringify(recordingHeader)}\n`);
    return writer;
  }

  /** Appends a step. Steps are written in the order of the calls. Throws after a failed write. */
  write(step: RecordedStep): void {
    if (this.#failure !== undefined) throw new Error('the recording cannot be written', { cause: this.#failure });
    this.#stream.write(`${exactJson(step)}\n`);
  }

  async close(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#stream.end();
    await once(this.#stream, 'close');
  }
}

/** The maximum length of a line. Events of the API are far shorter. */
const maxLineLength = 64 * 1024 * 1024;

/** Yields the lines of a body as they arrive. The last line need not end with a newline. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  let rest = '';
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split('\n');
      rest = done ? '' : lines.pop()!;
      const complete = lines.filter((line) => line !== '');
      if (complete.length > 0) yield complete;
      if (done) return;
      if (rest.length > maxLineLength) throw new RangeError('a line of the stream is too long');
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

import { decodeJson } from '../codec/json/index.ts';
/** The JSON documents of a stream, one per line. A last line without its end is not a document. */
export async function* jsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line !== '') yield decodeJson(Buffer.from(line)).value;
  }
}

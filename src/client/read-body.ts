/** The beginning of a body, up to a limit. */
export interface BodyStart {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

/** Reads a body up to a limit. Longer ones are cut off and their connection is destroyed. Rejects if it breaks off. */
export async function readBody(body: AsyncIterable<Buffer>, maxBytes: number): Promise<BodyStart> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop destroys the connection.
    if (size > maxBytes) return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isWhole: false };
  }
  return { bytes: Buffer.concat(chunks), isWhole: true };
}

import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { Client, credentials } from '@grpc/grpc-js';

const asIs = (bytes: Buffer): Buffer => bytes;

/** Saves a snapshot of a running etcd to the file, as `etcdctl snapshot save` does. */
export async function saveSnapshot(endpoint: string, path: string): Promise<void> {
  const client = new Client(new URL(endpoint).host, credentials.createInsecure());
  const file = createWriteStream(path);
  try {
    const method = '/etcdserverpb.Maintenance/Snapshot';
    const responses = client.makeServerStreamRequest(method, asIs, asIs, Buffer.alloc(0));
    for await (const response of responses) file.write(blobOf(response as Buffer));
  } finally {
    file.end();
    await finished(file);
    client.close();
  }
}

/** Returns the third field of a SnapshotResponse. The other fields are its header and a number. */
function blobOf(response: Buffer): Buffer {
  let at = 0;
  const number = (): number => {
    let result = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = response[at++]!;
      result += (byte & 0x7f) * scale;
      if (byte < 0x80) return result;
    }
  };
  while (at < response.length) {
    const tag = number();
    const length = number();
    if ((tag & 7) !== 2) continue;
    if (tag >> 3 === 3) return response.subarray(at, at + length);
    at += length;
  }
  return Buffer.alloc(0);
}

import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { fetchedKubectls } from '../../scripts/test-clients/kubectl.ts';
import { KubectlNode } from './kubectl-node.ts';

const kubectls = fetchedKubectls();
const size = 100_000_000;
const piece = randomBytes(1_000_000);

/** Yields `size` bytes in pieces that all differ. */
function* content(): Generator<Buffer> {
  for (let i = 0; i < size / piece.length; i++) yield Buffer.concat([Buffer.from(`${i} `), piece]);
}

interface Digest {
  readonly size: number;
  readonly sha256: string;
}

async function digestOf(stream: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<Digest> {
  const hash = createHash('sha256');
  let length = 0;
  for await (const chunk of stream) {
    hash.update(chunk);
    length += chunk.length;
  }
  return { size: length, sha256: hash.digest('hex') };
}

describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  let node: KubectlNode;
  let expected: Digest;
  beforeAll(async () => {
    expected = await digestOf(content());
    node = await KubectlNode.start();
    await node.run('p');
  });
  afterAll(() => node.stop());

  it('carries 100 MB through exec', async () => {
    const child = node.spawn(kubectl, ['exec', '-i', 'p', '--', 'cat']);
    const [errors, digest] = await Promise.all([
      text(child.stderr),
      digestOf(child.stdout),
      pipeline(Readable.from(content()), child.stdin),
    ]);
    expect({ errors, digest }).toEqual({ errors: '', digest: expected });
  });

  it('carries 100 MB through port-forward', async () => {
    const echo = createServer({ allowHalfOpen: true }, (socket) => void socket.pipe(socket));
    echo.listen(0, '127.0.0.1');
    await once(echo, 'listening');
    onTestFinished(() => void echo.close());
    const forwarding = node.spawn(kubectl, ['port-forward', 'pod/p', `:${(echo.address() as AddressInfo).port}`]);
    onTestFinished(() => void forwarding.kill());
    const [line] = await once(createInterface({ input: forwarding.stdout }), 'line');
    const socket = connect({ port: Number(/127\.0\.0\.1:(\d+)/.exec(line)![1]), host: '127.0.0.1' });
    const [digest] = await Promise.all([digestOf(socket), pipeline(Readable.from(content()), socket)]);
    expect(digest).toEqual(expected);
  });

  it('does not make the server keep what it does not read', async () => {
    const before = process.memoryUsage();
    const child = node.spawn(kubectl, ['exec', 'p', '--', 'sh', '-c', 'echo begun; exec head -c 1000000000 /dev/zero']);
    onTestFinished(() => void child.kill());
    await once(child.stdout, 'readable');
    // All buffers on the way are full when the memory use no longer changes.
    let last = -1;
    const used = (): number => process.memoryUsage().external + process.memoryUsage().arrayBuffers;
    await expect
      .poll(
        () => {
          const isStill = used() === last;
          last = used();
          return isStill;
        },
        { interval: 500 },
      )
      .toBe(true);
    expect(used() - before.external - before.arrayBuffers).toBeLessThan(64_000_000);
  });
});

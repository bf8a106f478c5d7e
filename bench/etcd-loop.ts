import { randomBytes } from 'node:crypto';
import { Channel } from '../src/storage/etcd/channel.ts';
import { parseEndpoint } from '../src/storage/etcd/endpoint.ts';
import { encodeTxn } from '../src/storage/etcd/messages.ts';

/** The loop to run. */
export interface EtcdLoop {
  /** The number of transactions in flight. */
  readonly clients: number;
  readonly seconds: number;
  readonly valueBytes: number;
}

export interface EtcdLoopResult {
  readonly requests: number;
  readonly seconds: number;
}

/**
 * The baseline of writes on etcd: transactions that create a key, one after the other by each client, and nothing else.
 * Runs a loop for every message over the IPC channel, and replies with its result.
 */
const etcd = new Channel({ endpoint: parseEndpoint(process.env.ETCD_ENDPOINT!), tls: async () => ({}) });
await etcd.connect(10_000);
const run = randomBytes(8).toString('hex');
let keys = 0;

function create(value: Buffer): Promise<void> {
  const request = encodeTxn({ key: `/loop/${run}/${keys++}`, expected: { modRevision: 0 }, value });
  return new Promise((resolve, reject) => {
    const onDone = (error: Error | undefined): void => (error === undefined ? resolve() : reject(error));
    etcd.call({ method: '/etcdserverpb.KV/Txn', request, timeoutMs: 10_000, isBatched: true, onDone });
  });
}

process.on('message', async ({ clients, seconds, valueBytes }: EtcdLoop) => {
  const value = randomBytes(valueBytes);
  const start = performance.now();
  const end = start + seconds * 1000;
  let requests = 0;
  const client = async (): Promise<void> => {
    for (; performance.now() < end; requests++) await create(value);
  };
  await Promise.all(Array.from({ length: clients }, client));
  process.send!({ requests, seconds: (performance.now() - start) / 1000 } satisfies EtcdLoopResult);
});
process.on('disconnect', () => process.exit());
process.on('SIGINT', () => {});
process.send!('ready');

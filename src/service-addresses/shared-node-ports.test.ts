import { describe, expect, it, onTestFinished } from 'vitest';
import { createMemoryStorage, type Storage } from '../storage/index.ts';
import { LaggingStorage } from '../storage/lagging-storage.conformance.ts';
import { PortBits } from './port-bits.ts';
import { SharedNodePorts } from './shared-node-ports.ts';

const range = { first: 30_000, last: 30_019 };
const key = '/registry/ranges/servicenodeports';

function sharedStore(): Storage {
  const storage = createMemoryStorage();
  onTestFinished(() => storage.close());
  return storage;
}

function ports(store: Storage, { stored = [] as number[], own = range } = {}): SharedNodePorts {
  const storage = new LaggingStorage(store, { delayMs: () => 1 });
  return new SharedNodePorts({ storage, range: own, random: Math.random, storedPorts: async () => stored });
}

async function storedObject(store: Storage) {
  return JSON.parse((await store.get(key))!.value.toString());
}

describe('PortBits', () => {
  it.each([
    [[], ''],
    [[30_000], '01'],
    [[30_000, 30_001, 30_009], '0203'],
    [[30_019], '080000'],
  ])('has the bytes of a big-endian number: %s', (allocated, hex) => {
    const bits = new PortBits(range);
    for (const port of allocated) bits.set(port);
    expect(Buffer.from(bits.toBytes()).toString('hex')).toBe(hex);
    expect([...new PortBits(range, Buffer.from(hex, 'hex')).ports()]).toEqual(allocated);
  });
});

describe('SharedNodePorts', () => {
  it('allocates every port once across servers', async () => {
    const store = sharedStore();
    const servers = [ports(store), ports(store), ports(store)];
    const allocated = await Promise.all(
      Array.from({ length: 21 }, (_, index) => servers[index % 3]!.allocateNext('a')),
    );
    expect(new Set(allocated)).toEqual(
      new Set([...Array.from({ length: 20 }, (_, index) => 30_000 + index), undefined]),
    );
  });

  it('gives a port to one of many, and a released one to another', async () => {
    const store = sharedStore();
    const [one, other] = [ports(store), ports(store)];
    const results = await Promise.all([one!.allocate(30_005, 'a'), other!.allocate(30_005, 'b')]);
    expect(results.toSorted()).toEqual(['provided port is already allocated', undefined]);
    await one!.release(30_005, 'a');
    expect(await other!.has(30_005)).toBe(false);
    expect(await other!.allocate(30_005, 'b')).toBeUndefined();
    expect(await one!.has(30_005)).toBe(true);
  });

  it('begins with the ports of stored services', async () => {
    const store = sharedStore();
    expect(await ports(store, { stored: [30_001, 31_000] }).allocate(30_001, 'a')).toBe(
      'provided port is already allocated',
    );
    await ports(store, { stored: [30_001] }).allocate(30_002, 'a');
    expect(await storedObject(store)).toEqual({
      kind: 'RangeAllocation',
      apiVersion: 'v1',
      metadata: {},
      range: '30000-30019',
      data: Buffer.from([6]).toString('base64'),
    });
  });

  it('refuses ports while another range is stored, until a server begins with its own', async () => {
    const store = sharedStore();
    const [before, after] = [ports(store), ports(store, { stored: [30_001], own: { first: 30_000, last: 30_099 } })];
    await before!.allocate(30_002, 'a');
    await expect(after!.allocateNext('a')).rejects.toThrow('does not match the current range 30000-30019');
    await after!.claimRange();
    expect(await after!.allocated()).toEqual([30_001]);
    await expect(before!.allocateNext('a')).rejects.toMatchObject({ status: { code: 500 } });
  });

  it('reports failures of the store to everybody who waits, and goes on', async () => {
    const store = sharedStore();
    const shared = ports(store);
    await shared.allocate(30_002, 'a');
    await store.close();
    const waiting = [shared.allocateNext('a'), shared.release(30_002, 'a')];
    for (const one of waiting) await expect(one).rejects.toMatchObject({ status: { code: 503 } });
    await expect(shared.has(30_002)).rejects.toMatchObject({ status: { code: 503 } });
  });
});

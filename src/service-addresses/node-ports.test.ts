import { describe, expect, it } from 'vitest';
import { NodePorts } from './node-ports.ts';
import { PortOperation } from './port-operation.ts';

const range = { first: 30_000, last: 30_019 };

describe('NodePorts', () => {
  it('allocates every port once', () => {
    const ports = new NodePorts(range, Math.random);
    const allocated = Array.from({ length: 20 }, () => ports.allocateNext('a'));
    expect(new Set(allocated).size).toBe(20);
    expect(ports.allocateNext('a')).toBeUndefined();
    expect(Math.min(...allocated.slice(0, 4).map(Number))).toBe(30_016);
  });

  it('loads the ports of stored services', () => {
    const ports = new NodePorts(range, Math.random);
    ports.load([{ uid: 'a', ports: [30_001] }]);
    expect(ports.allocate(30_001, 'b')).toBe('provided port is already allocated');
    ports.release(30_001, 'b');
    expect(ports.has(30_001)).toBe(true);
    ports.release(30_001, 'a');
    expect(ports.allocate(30_001, 'b')).toBeUndefined();
  });

  it('refuses ports outside the range', () => {
    const ports = new NodePorts(range, Math.random);
    expect(ports.allocate(29_999, 'a')).toBe(
      'provided port is not in the valid range. The range of valid ports is 30000-30019',
    );
  });
});

describe('PortOperation', () => {
  it.each([
    [true, { allocated: true, old: false }],
    [false, { allocated: false, old: true }],
  ])('is finished with stored: %s', async (committed, expected) => {
    const ports = new NodePorts(range, Math.random);
    ports.load([{ uid: 'a', ports: [30_001] }]);
    const operation = new PortOperation(ports, { uid: 'a', dryRun: false });
    await operation.allocate(30_002);
    operation.releaseLater(30_001);
    await operation.finish({ committed }, () => false);
    expect({ allocated: ports.has(30_002), old: ports.has(30_001) }).toEqual(expected);
  });

  it('keeps what the service has although a write has failed', async () => {
    const ports = new NodePorts(range, Math.random);
    const operation = new PortOperation(ports, { uid: 'a', dryRun: false });
    await operation.allocate(30_002);
    await operation.allocate(30_003);
    await operation.finish({ committed: false }, (port) => port === 30_002);
    expect([ports.has(30_002), ports.has(30_003)]).toEqual([true, false]);
  });

  it('takes nothing in a dry run', async () => {
    const ports = new NodePorts(range, Math.random);
    const operation = new PortOperation(ports, { uid: 'a', dryRun: true });
    expect(await operation.allocate(30_002)).toBeUndefined();
    expect(await operation.allocate(30_002)).toBe('provided port is already allocated');
    expect(await operation.allocateNext()).not.toBe(await operation.allocateNext());
    await operation.finish({ committed: false }, () => false);
    expect(ports.has(30_002)).toBe(false);
  });
});

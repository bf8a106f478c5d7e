import { describe, expect, it } from 'vitest';
import { type ServerStorageVersion, type StorageVersion, withServer, withServers } from './storage-version.ts';

const server = (apiServerID: string, encodingVersion: string): ServerStorageVersion => ({
  apiServerID,
  encodingVersion,
  decodableVersions: ['apps/v1', 'apps/v2'],
});
const empty: StorageVersion = { metadata: { name: 'apps.deployments' } };
const early = new Date('2026-01-01T00:00:00.123Z');
const late = new Date('2026-01-02T00:00:00Z');

describe('the servers of a StorageVersion', () => {
  it('have a common version as long as all store the same', () => {
    const one = withServer(empty, server('a', 'apps/v1'), early);
    expect(one.status).toEqual({
      storageVersions: [server('a', 'apps/v1')],
      commonEncodingVersion: 'apps/v1',
      conditions: [
        {
          type: 'AllEncodingVersionsEqual',
          status: 'True',
          lastTransitionTime: '2026-01-01T00:00:00Z',
          reason: 'CommonEncodingVersionSet',
          message: 'Common encoding version set',
        },
      ],
    });
    const two = withServer(one, server('b', 'apps/v2'), late);
    expect(two.status).toEqual({
      storageVersions: [server('a', 'apps/v1'), server('b', 'apps/v2')],
      conditions: [
        {
          type: 'AllEncodingVersionsEqual',
          status: 'False',
          lastTransitionTime: '2026-01-02T00:00:00Z',
          reason: 'CommonEncodingVersionUnset',
          message: 'Common encoding version unset',
        },
      ],
    });
  });

  it('are in the order in which they came, and the time is that of the last transition', () => {
    const two = withServer(withServer(empty, server('a', 'apps/v1'), early), server('b', 'apps/v1'), late);
    const { status } = withServer(two, server('a', 'apps/v1'), late);
    expect(status?.storageVersions?.map(({ apiServerID }) => apiServerID)).toEqual(['a', 'b']);
    expect(status?.conditions).toMatchObject([{ status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }]);
  });

  it('agree again when the one that differs is gone', () => {
    const two = withServer(withServer(empty, server('a', 'apps/v1'), early), server('b', 'apps/v2'), early);
    const { status } = withServers(two, [server('b', 'apps/v2')], late);
    expect(status).toMatchObject({ commonEncodingVersion: 'apps/v2', conditions: [{ status: 'True' }] });
  });

  it('leave conditions of others alone', () => {
    const other = { type: 'Migrated', status: 'True', reason: 'Done', message: 'done' };
    const { status } = withServer({ ...empty, status: { conditions: [other] } }, server('a', 'apps/v1'), early);
    expect(status?.conditions).toEqual([other, expect.objectContaining({ type: 'AllEncodingVersionsEqual' })]);
  });
});

import { expect, it, onTestFinished, vi } from 'vitest';
import { startServer } from '../server/index.ts';

const jobsType = { group: 'batch', version: 'v1', resource: 'jobs' };

it('deletes finished jobs after their TTL', async () => {
  const server = await startServer({ storage: 'memory', controllers: ['ttl-after-finished'] });
  onTestFinished(() => server.stop());
  const jobs = server.client.resource(jobsType, 'default');
  const containers = [{ name: 'c', image: 'registry.example/c:1' }];
  const finishedAt = new Date(Date.now() - 100_000).toISOString().replace(/\.\d+/, '');
  const create = async (name: string, { ttl, isFinished }: { ttl?: number; isFinished: boolean }): Promise<void> => {
    const template = { spec: { restartPolicy: 'Never', containers } };
    const created = await jobs.create({
      metadata: { name },
      spec: { template, ...(ttl !== undefined && { ttlSecondsAfterFinished: ttl }) },
    });
    if (!isFinished) return;
    const condition = { status: 'True', lastTransitionTime: finishedAt, lastProbeTime: finishedAt };
    const conditions = [
      { type: 'SuccessCriteriaMet', ...condition },
      { type: 'Complete', ...condition },
    ];
    const status = { conditions, startTime: finishedAt, completionTime: finishedAt, succeeded: 1 };
    await jobs.update({ ...created, status }, { subresource: 'status' });
  };
  await create('kept', { isFinished: true });
  await create('running', { ttl: 10, isFinished: false });
  await create('later', { ttl: 100_000, isFinished: true });
  await create('due', { ttl: 10, isFinished: true });
  const isGoing = (name: string) =>
    vi.waitFor(async () => {
      const found = await jobs.get(name).catch(() => undefined);
      expect(found === undefined || found.metadata.deletionTimestamp !== undefined).toBe(true);
    });
  await isGoing('due');
  // A changed TTL takes effect.
  await jobs.patch('later', { spec: { ttlSecondsAfterFinished: 20 } });
  await isGoing('later');
  for (const name of ['kept', 'running']) {
    expect((await jobs.get(name)).metadata).not.toHaveProperty('deletionTimestamp');
  }
});

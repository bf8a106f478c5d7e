import { describe, expect, it } from 'vitest';
import { autoregisterCompletionCheck, shutdownCheck } from './boot-checks.ts';
import type { HealthCheck } from './health-check.ts';
import { HealthChecks } from './health-checks.ts';
import { reportOf } from './health-report.ts';
import { PostStartHooks } from './post-start-hooks.ts';
import { logCheck, servingCertificateCheck } from './process-checks.ts';
import { storageChecks, storedObjectsCheck } from './storage-checks.ts';

const { signal } = new AbortController();

/** The reason why a check fails, or undefined. */
async function reasonOf(check: HealthCheck): Promise<string | undefined> {
  try {
    await check.run(signal);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the storage checks', () => {
  const well = async (): Promise<void> => {};

  it('have the names and the places that monitoring knows', () => {
    expect(storageChecks(well).map(({ name, group, endpoints }) => ({ name, group, endpoints }))).toEqual([
      { name: 'etcd', group: 'etcd', endpoints: ['livez', 'readyz', 'healthz'] },
      { name: 'etcd-readiness', group: undefined, endpoints: ['readyz'] },
    ]);
  });

  it('share one probe for all requests within half a second', async () => {
    let time = 0;
    let probes = 0;
    const checks = storageChecks(async () => void probes++, { now: () => time });
    for (const check of [...checks, ...checks]) expect(await reasonOf(check)).toBeUndefined();
    expect(probes).toBe(1);
    time = 499;
    await reasonOf(checks[0]!);
    expect(probes).toBe(1);
    time = 500;
    await Promise.all([reasonOf(checks[0]!), reasonOf(checks[1]!)]);
    expect(probes).toBe(2);
  });

  it('report why storage failed, and notice recovery', async () => {
    let time = 0;
    let works = false;
    const probe = async (): Promise<void> => {
      if (!works) throw new Error('no such file');
    };
    const [check] = storageChecks(probe, { now: () => time });
    expect(await reasonOf(check!)).toBe('error getting data from etcd: no such file');
    works = true;
    expect(await reasonOf(check!)).toBe('error getting data from etcd: no such file');
    time = 500;
    expect(await reasonOf(check!)).toBeUndefined();
  });

  it('time out, and do not accumulate hanging probes', async () => {
    let time = 0;
    let probes = 0;
    let comeBack = (): void => {};
    let aborted = false;
    const probe = (probeSignal: AbortSignal): Promise<void> => {
      probes++;
      probeSignal.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise((resolve) => {
        comeBack = resolve;
      });
    };
    const [check] = storageChecks(probe, { timeout: 10, now: () => time });
    expect(await reasonOf(check!)).toBe('error getting data from etcd: context deadline exceeded');
    expect(aborted).toBe(true);
    time = 10_000;
    expect(await reasonOf(check!)).toBe('error getting data from etcd: context deadline exceeded');
    expect(probes).toBe(1);
    comeBack();
    await new Promise((resolve) => setImmediate(resolve));
    const later = reasonOf(check!);
    expect(probes).toBe(2);
    comeBack();
    expect(await later).toBeUndefined();
  });
});

describe('the check of stored objects', () => {
  it('is listed while there are unreadable objects, and never fails', async () => {
    let corrupt: string | undefined;
    const check = storedObjectsCheck(() => corrupt);
    expect([check.endpoints, check.isListed?.()]).toEqual([['readyz'], false]);
    corrupt = '1 corrupt (secrets: 1), see the log';
    expect([check.isListed?.(), check.note?.(), await reasonOf(check)]).toEqual([true, corrupt, undefined]);
    const { healthy, text } = reportOf({
      endpoint: 'readyz',
      outcomes: [{ check }],
      unknownExcludes: [],
      passed: 'healthz',
    });
    expect([healthy, text]).toEqual([true, `[+]stored-objects ok: ${corrupt}\nhealthz check passed\n`]);
  });
});

describe('the log check', () => {
  it('passes while lines are written and fails when they are not', async () => {
    expect(await reasonOf(logCheck(async () => {}))).toBeUndefined();
    expect(await reasonOf(logCheck(() => new Promise(() => {}), { timeout: 5 }))).toBe('logging blocked');
  });
});

describe('the certificate check', () => {
  it('fails once the certificate has expired', async () => {
    let time = Date.parse('2026-01-01T00:00:00Z');
    const check = servingCertificateCheck(() => new Date('2026-06-01T00:00:00Z'), { now: () => time });
    expect(await reasonOf(check)).toBeUndefined();
    time = Date.parse('2026-06-01T00:00:00Z');
    expect(await reasonOf(check)).toBe('the serving certificate expired at 2026-06-01T00:00:00.000Z');
    expect(check.endpoints).toEqual(['livez', 'healthz']);
  });
});

describe('the startup and shutdown checks', () => {
  it('name the APIs that are missing', async () => {
    const missing = ['v1.apps', 'v1.batch'];
    const check = autoregisterCompletionCheck(() => missing);
    expect(await reasonOf(check)).toBe('missing APIService: [v1.apps v1.batch]');
    missing.length = 0;
    expect(await reasonOf(check)).toBeUndefined();
    expect(check.bootSequence).toBe(true);
  });

  it('fail when the process is shutting down', async () => {
    const shutdown = new AbortController();
    const check = shutdownCheck(shutdown.signal);
    expect(await reasonOf(check)).toBeUndefined();
    shutdown.abort();
    expect(await reasonOf(check)).toBe('process is shutting down');
    expect(check.endpoints).toEqual(['readyz']);
  });
});

describe('PostStartHooks', () => {
  class Collected extends HealthChecks {
    readonly added: HealthCheck[] = [];
    override add(...checks: readonly HealthCheck[]): void {
      super.add(...checks);
      this.added.push(...checks);
    }
  }

  it('fail until the hook is done', async () => {
    const health = new Collected({ log: () => {} });
    const hooks = new PostStartHooks(health);
    let finish = (): void => {};
    hooks.add('rbac/bootstrap-roles', () => new Promise((resolve) => (finish = resolve)));
    const [check] = health.added;
    expect(check).toMatchObject({ name: 'poststarthook/rbac/bootstrap-roles', bootSequence: true });
    expect(await reasonOf(check!)).toBe('not finished');
    const started = hooks.start(signal);
    expect(await reasonOf(check!)).toBe('not finished');
    finish();
    await started;
    expect(await reasonOf(check!)).toBeUndefined();
  });

  it('report the failed hooks after all have settled', async () => {
    const health = new Collected({ log: () => {} });
    const hooks = new PostStartHooks(health);
    let done = false;
    hooks.add('bad', () => Promise.reject(new Error('no luck')));
    hooks.add('good', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      done = true;
    });
    await expect(hooks.start(signal)).rejects.toThrow('post start hook bad failed: no luck');
    expect(done).toBe(true);
    const [bad, good] = health.added;
    expect(await reasonOf(bad!)).toBe('failed: no luck');
    expect(await reasonOf(good!)).toBeUndefined();
  });

  it('cannot be added after the start', async () => {
    const hooks = new PostStartHooks(new HealthChecks({ log: () => {} }));
    await hooks.start(signal);
    expect(() => hooks.add('late', async () => {})).toThrow('post start hook late was added after the start');
  });
});

import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ApiError } from '../api/api-error.ts';
import { request, requestJson } from '../api/request.ts';
import { Fact } from '../object/overview.tsx';
import { formatDuration } from '../shared/age.ts';
import { formatBytes, formatRate, formatSeconds } from '../shared/format.ts';
import { now } from '../shared/now.ts';
import { AuditCard } from './audit-card.tsx';
import { parseHealth } from './health.ts';
import { Plot } from './plot.tsx';
import { repeat } from './repeat.ts';
import { ServerHistory } from './server-history.ts';

interface ServerStatus {
  readonly version: string;
  readonly startTime: string;
  readonly storage: { kind: string; revision: number; compactedRevision: number; objects: number; bytes?: number };
  readonly requests: { running: number; total: number; watches: number };
  readonly memory: { residentBytes: number; heapBytes: number };
  readonly lastBackup?: { readonly time?: string; readonly [field: string]: unknown };
}

interface Version {
  readonly gitVersion: string;
  readonly platform: string;
  readonly goVersion?: string;
}

/** Shows the load of the server in live plots. */
export function ServerPage() {
  const history = useMemo(() => new ServerHistory(), []);
  const round = useSignal(0);
  const status = useSignal<ServerStatus | undefined>(undefined);
  const version = useSignal<Version | undefined>(undefined);
  const health = useSignal('');
  const problems = useSignal<Readonly<Record<string, string>>>({});
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const note = (what: string, problem: string | undefined) => {
      const { [what]: _, ...others } = problems.value;
      problems.value = problem === undefined ? others : { ...others, [what]: problem };
    };
    const read = async (what: string, load: () => Promise<void>) => {
      try {
        await load();
        note(what, undefined);
      } catch (error) {
        if (!signal.aborted) note(what, (error as ApiError).message);
      }
    };
    const all = () =>
      Promise.all([
        read('metrics', async () => {
          const text = await (await request('/metrics', { accept: 'text/plain', signal })).text();
          history.add(text, Date.now() / 1000);
          round.value++;
        }),
        read('status', async () => {
          status.value = await requestJson<ServerStatus>('/keelson/status', { signal });
        }),
        read('readyz', async () => {
          health.value = await readHealth(signal);
        }),
      ]);
    void read('version', async () => {
      version.value = await requestJson<Version>('/version', { signal });
    });
    repeat(all, signal);
    return () => controller.abort();
  }, []);
  void round.value;
  const { readings } = history;
  const times = readings.map(({ time }) => time);
  const checks = parseHealth(health.value);
  return (
    <div class="page">
      <header class="page-header">
        <h1>Server</h1>
        {checks.length > 0 && (
          <span class={`badge ${checks.every(({ isOk }) => isOk) ? 'badge-good' : 'badge-bad'}`}>
            {checks.every(({ isOk }) => isOk) ? 'ready' : 'not ready'}
          </span>
        )}
      </header>
      {Object.entries(problems.value).map(([what, text]) => (
        <p key={what} class="note">
          {what}: {text}
        </p>
      ))}
      <div class="figures">
        {status.value && (
          <>
            <Figure name="Objects" value={status.value.storage.objects.toLocaleString('en')} />
            <Figure
              name="Store"
              value={formatBytes(status.value.storage.bytes ?? 0)}
              note={status.value.storage.kind}
            />
            <Figure
              name="Revision"
              value={status.value.storage.revision.toLocaleString('en')}
              note={`history since ${status.value.storage.compactedRevision.toLocaleString('en')}`}
            />
            <Figure name="Watches" value={status.value.requests.watches.toLocaleString('en')} />
            <Figure
              name="Requests"
              value={status.value.requests.total.toLocaleString('en')}
              note={`${status.value.requests.running} running`}
            />
            <Figure name="Memory" value={formatBytes(status.value.memory.residentBytes)} />
            <Figure
              name="Up"
              value={formatDuration(now.value - Date.parse(status.value.startTime))}
              note={status.value.version}
            />
          </>
        )}
      </div>
      {readings.length > 0 && (
        <div class="plots">
          <Plot
            title="Requests a second by verb"
            times={times}
            series={history.series(({ byVerb }) => byVerb, 6)}
            format={formatRate}
          />
          <Plot
            title="Answers a second by code"
            times={times}
            series={history.series(({ byCode }) => byCode, 6)}
            format={formatRate}
          />
          <Plot
            title="Latency"
            times={times}
            format={formatSeconds}
            series={[
              { name: 'median', values: readings.map(({ median }) => median) },
              { name: '99th percentile', values: readings.map(({ slowest }) => slowest) },
            ]}
          />
          <Plot
            title="Watches and running requests"
            times={times}
            format={formatRate}
            series={[
              { name: 'watches', values: readings.map(({ watchers }) => watchers) },
              { name: 'running', values: readings.map(({ running }) => running) },
            ]}
          />
          <Plot
            title="Flow control: seats by priority level"
            times={times}
            format={formatRate}
            series={[
              ...history.series(({ executing }) => executing, 4),
              { name: 'in queues', values: readings.map(({ queued }) => queued) },
            ]}
          />
          <Plot
            title="Delay of the event loop (99th percentile)"
            times={times}
            format={formatSeconds}
            series={[{ name: 'delay', values: readings.map(({ lag }) => lag) }]}
          />
        </div>
      )}
      <div class="two-columns">
        <section class="card">
          <h2>Slow requests</h2>
          <table class="plain">
            <thead>
              <tr>
                <th scope="col">Request</th>
                <th scope="col">Count</th>
                <th scope="col">Median</th>
                <th scope="col">99 %</th>
              </tr>
            </thead>
            <tbody>
              {history.slowRequests(12).map(({ what, count, median, slowest }) => (
                <tr key={what}>
                  <td class="wrap">{what}</td>
                  <td>{count.toLocaleString('en')}</td>
                  <td>{formatSeconds(median)}</td>
                  <td>{formatSeconds(slowest)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        <section class="card">
          <h2>Health checks</h2>
          <ul class="checks">
            {checks.map(({ name, isOk, text }) => (
              <li key={name} class={isOk ? 'tone-good' : 'tone-bad'}>
                {name} <span class="muted">{isOk ? 'ok' : text}</span>
              </li>
            ))}
          </ul>
          <dl class="facts after-table">
            {version.value && (
              <>
                <Fact name="API version">{version.value.gitVersion}</Fact>
                <Fact name="Platform">{version.value.platform}</Fact>
              </>
            )}
            {status.value?.lastBackup && (
              <Fact name="Last backup">{String(status.value.lastBackup.time ?? 'yes')}</Fact>
            )}
          </dl>
        </section>
      </div>
      <AuditCard />
    </div>
  );
}

/** A server that is not ready responds with an error that contains the reason. */
async function readHealth(signal: AbortSignal): Promise<string> {
  try {
    return await (await request('/readyz?verbose', { accept: 'text/plain', signal })).text();
  } catch (error) {
    const { code, message } = error as ApiError;
    if (code === 500 || code === 503) return message;
    throw error;
  }
}

function Figure({ name, value, note }: { name: string; value: string; note?: string }) {
  return (
    <section class="figure" aria-label={name}>
      <h2>{name}</h2>
      <p class="figure-value">{value}</p>
      {note && <p class="muted">{note}</p>}
    </section>
  );
}

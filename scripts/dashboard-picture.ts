/**
 * `npm run picture:dashboard`: creates `docs/images/dashboard.svg`. Debian has no Grafana, so the panels of
 * `dashboards/keelson.json` are drawn here, from the responses of a real Prometheus to their queries, about a real
 * server under load.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RunningPrometheus } from '../test/clients/running-prometheus.ts';
import { TestApi } from '../test/wire/api.ts';
import { fetchedPrometheus, fetchPrometheus } from './test-clients/prometheus.ts';

interface Panel {
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig: { readonly defaults: { readonly unit: string } };
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

interface Line {
  readonly name: string;
  readonly points: readonly (readonly [time: number, value: number])[];
}

const root = join(import.meta.dirname, '..');
const target = join(root, 'docs', 'images', 'dashboard.svg');
const seconds = 45;
const colours = [
  '#3366cc',
  '#dc3912',
  '#ff9900',
  '#109618',
  '#990099',
  '#0099c6',
  '#dd4477',
  '#66aa00',
  '#b82e2e',
  '#316395',
];

await fetchPrometheus();
const programs = fetchedPrometheus();
if (programs === undefined) throw new Error('Prometheus is not available');
const folder = mkdtempSync(join(tmpdir(), 'keelson-dashboard-'));
const server = spawn(process.execPath, [join(root, 'bin', 'keelson.js'), 'serve', '--secure-port=0', '--output=json'], {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'ignore'],
});
try {
  const { url, kubeconfig } = JSON.parse(await firstLine()) as { url: string; kubeconfig: string };
  const api = new TestApi({ url, kubeconfig: readFileSync(kubeconfig, 'utf8'), stop: () => Promise.resolve() });
  const caFile = join(folder, 'ca.crt');
  writeFileSync(caFile, api.tls.ca);
  const token = await scraperToken(api);
  const prometheus = await RunningPrometheus.start({
    program: programs.prometheus,
    folder,
    target: { host: new URL(url).host, caFile, token },
  });
  try {
    const startedAt = Date.now() / 1000;
    await load(api, Date.now() + seconds * 1000);
    const { panels } = JSON.parse(readFileSync(join(root, 'dashboards', 'keelson.json'), 'utf8')) as {
      panels: Panel[];
    };
    const window = { start: startedAt + 10, end: Date.now() / 1000 };
    const drawn: string[] = [];
    for (const panel of panels) drawn.push(drawPanel(panel, await linesOf(prometheus, panel, window)));
    writeFileSync(target, picture(panels, drawn));
    console.log(`${panels.length} panels in ${target}`);
  } finally {
    await prometheus.stop();
    await api.stop();
  }
} finally {
  server.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

function firstLine(): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    server.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.split('\n')[0]!);
    });
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)));
  });
}

async function scraperToken(api: TestApi): Promise<string> {
  const account = { kind: 'ServiceAccount', namespace: 'default', name: 'scraper' };
  await api.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: account.name } });
  await api.post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'scraper' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:monitoring' },
    subjects: [account],
  });
  const path = '/api/v1/namespaces/default/serviceaccounts/scraper/token';
  const { body } = await api.post(path, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} });
  return body.status.token;
}

/** Sends reads, writes and watches at a varying rate until the end. */
async function load(api: TestApi, end: number): Promise<void> {
  const path = '/api/v1/namespaces/default/configmaps';
  const watches = Array.from({ length: 5 }, () => api.get(`${path}?watch=1&timeoutSeconds=${seconds}`));
  for (let count = 0; Date.now() < end; count++) {
    const name = `settings-${count}`;
    await api.post(path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { count: String(count) } });
    await Promise.all(Array.from({ length: 4 }, () => api.get(`${path}/${name}`)));
    if (count % 5 === 0) await api.get(path);
    if (count % 7 === 0) await api.get(`${path}/absent`);
    if (count % 11 === 0) await api.call('GET', path, { headers: { 'impersonate-user': 'nobody' } });
    if (count % 13 === 0) await api.get('/readyz');
    if (count % 3 === 0) await api.call('DELETE', `${path}/${name}`);
    await pause(30 + 25 * Math.sin(count / 40));
  }
  await Promise.all(watches);
}

async function linesOf(
  prometheus: RunningPrometheus,
  { targets }: Panel,
  window: { start: number; end: number },
): Promise<Line[]> {
  const found = await Promise.all(
    targets.map(async ({ expr, legendFormat }) => {
      const expression = expr.replaceAll('$__rate_interval', '8s').replaceAll('$instance', '.*');
      const series = await prometheus.queryRange(expression, window);
      return series.map(({ metric, values }) => ({
        name: legendFormat.replace(/\{\{(\w+)\}\}/g, (_, label: string) =>
          label === 'instance' ? 'server' : (metric[label] ?? ''),
        ),
        points: values
          .map(([time, value]) => [time, Number(value)] as const)
          .filter(([, value]) => Number.isFinite(value)),
      }));
    }),
  );
  return found.flat().filter(({ points }) => points.length > 0);
}

function drawPanel({ title, gridPos, fieldConfig }: Panel, lines: readonly Line[]): string {
  const [left, top, width, height] = [gridPos.x * 50 + 6, gridPos.y * 26 + 6, gridPos.w * 50 - 12, gridPos.h * 26 - 12];
  const plot = { x: left + 58, y: top + 30, width: width - 70, height: height - 66 };
  const all = lines.flatMap(({ points }) => points);
  const highest = Math.max(...all.map(([, value]) => value), 0) || 1;
  const [first, last] = [Math.min(...all.map(([time]) => time)), Math.max(...all.map(([time]) => time))];
  const x = (time: number): string => (plot.x + (plot.width * (time - first)) / (last - first || 1)).toFixed(1);
  const y = (value: number): string => (plot.y + plot.height * (1 - value / highest)).toFixed(1);
  const unit = fieldConfig.defaults.unit;
  const grid = [0, 0.5, 1].map(
    (share) =>
      `<line x1="${plot.x}" x2="${plot.x + plot.width}" y1="${y(highest * share)}" y2="${y(highest * share)}" stroke="#e4e7eb"/>` +
      `<text x="${plot.x - 6}" y="${Number(y(highest * share)) + 4}" text-anchor="end" class="axis">${shown(highest * share, unit)}</text>`,
  );
  const paths = lines.map(
    ({ points }, index) =>
      `<polyline fill="none" stroke="${colours[index % colours.length]}" stroke-width="1.5" points="${points.map(([time, value]) => `${x(time)},${y(value)}`).join(' ')}"/>`,
  );
  const room = Math.floor((width - 20) / 6.2);
  let used = 0;
  const legend = lines.flatMap(({ name }, index) => {
    const at = used;
    used += name.length + 4;
    if (used > room) return [];
    const place = left + 14 + at * 6.2;
    return [
      `<rect x="${place}" y="${top + height - 18}" width="9" height="3" fill="${colours[index % colours.length]}"/>` +
        `<text x="${place + 13}" y="${top + height - 13}" class="axis">${escaped(name)}</text>`,
    ];
  });
  const nothing = `<text x="${left + width / 2}" y="${top + height / 2}" text-anchor="middle" class="axis">No data</text>`;
  return [
    `<rect x="${left}" y="${top}" width="${width}" height="${height}" rx="4" fill="#ffffff" stroke="#d5dae1"/>`,
    `<text x="${left + 12}" y="${top + 19}" class="title">${escaped(title)}</text>`,
    ...(lines.length === 0 ? [nothing] : [...grid, ...paths, ...legend]),
  ].join('\n');
}

function shown(value: number, unit: string): string {
  const short = (number: number): string => String(Number(number.toPrecision(3)));
  if (unit === 's') return value < 1 ? `${short(value * 1000)} ms` : `${short(value)} s`;
  if (unit === 'bytes') return `${short(value / 1024 / 1024)} MiB`;
  if (unit === 'percentunit') return `${short(value * 100)} %`;
  return unit === 'reqps' || unit === 'ops' ? `${short(value)}/s` : short(value);
}

function picture(panels: readonly Panel[], drawn: readonly string[]): string {
  const height = Math.max(...panels.map(({ gridPos }) => gridPos.y + gridPos.h)) * 26 + 12;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1212 ${height}" font-family="sans-serif">
<title>The dashboard of a server under load</title>
<style>.title{font-size:13px;font-weight:600;fill:#24292f}.axis{font-size:10.5px;fill:#57606a}</style>
<rect width="1212" height="${height}" fill="#f4f5f7"/>
${drawn.join('\n')}
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

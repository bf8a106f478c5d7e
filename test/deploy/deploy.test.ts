import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fetchedEtcds } from '../../scripts/test-clients/etcd.ts';
import { parseCommandLine } from '../../src/cli/command-line.ts';
import { serveFlags } from '../../src/cli/serve-flags.ts';
import { adminKubeconfig } from '../../src/pki/index.ts';
import { root } from '../bundles/bundles.ts';
import { isClockFast } from '../clock/is-clock-fast.ts';
import { EtcdCluster } from '../etcd/etcd-cluster.ts';
import { ServeProcess } from '../process/serve-process.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { TestApi } from '../wire/api.ts';

const deploy = join(root, 'deploy');
const contentOf = (name: string): string => readFileSync(join(deploy, name), 'utf8');
const has = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

it.each(['keelson.yaml', 'three-servers/keelson.yaml'])('%s has flags of the server', async (name) => {
  const { values } = await parseCommandLine(serveFlags, [`--config=${join(deploy, name)}`]);
  expect(values.dataDir).toBe('/var/lib/keelson');
});

describe.skipIf(!has('systemd-analyze', '--version'))('units (skipped without systemd-analyze)', () => {
  it.each(['keelson.service', 'three-servers/etcd.service'])('%s is accepted by systemd', async (name) => {
    // The programs are not installed on this machine, so the unit gets the path of another one.
    const unit = contentOf(name).replace(/\/usr\/bin\/(keelson|etcd)/, process.execPath);
    const file = join(await temporaryDirectory(), name.split('/').at(-1)!);
    writeFileSync(file, unit);
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

it('the commands of the cron jobs and the image are those of the program', () => {
  const commands = [...contentOf('keelson.cron').matchAll(/^[\d* ]+ keelson keelson (\w+) /gm)].map(([, name]) => name);
  expect(commands).toEqual(['backup', 'verify']);
  const image = contentOf('Containerfile');
  expect(image).toMatch(/^USER 10001:10001$/m);
  expect(image).toMatch(/^RUN timeout 5 node_modules\/\.bin\/keelson serve --storage=memory /m);
  expect(image).toMatch(/^HEALTHCHECK .* CMD \["keelson", "status", /m);
});

const etcd = fetchedEtcds().at(-1);
const canTry = etcd !== undefined && has('openssl', 'version');

describe.skipIf(!canTry)('three servers (skipped without etcd and openssl)', () => {
  // openssl creates the certificates, which are valid from now on by the real clock.
  it.skipIf(isClockFast)(
    'act as one for their clients, with certificates and configuration of the example',
    async () => {
      const directory = await temporaryDirectory();
      const pki = join(directory, 'pki');
      const made = spawnSync(join(deploy, 'three-servers/make-certificates.sh'), [pki, '127.0.0.1'], {
        encoding: 'utf8',
      });
      expect({ status: made.status, stderr: made.stderr }).toMatchObject({ status: 0 });
      expect(readdirSync(pki).every((name) => /\.(crt|key)$/.test(name))).toBe(true);
      const pem = (name: string): string => readFileSync(join(pki, name), 'utf8');
      const tls = { ca: join(pki, 'etcd-ca.crt'), cert: join(pki, 'etcd.crt'), key: join(pki, 'etcd.key') };
      const cluster = await EtcdCluster.start({ program: etcd!, members: 3, tls });
      onTestFinished(() => cluster.stop());
      const config = join(directory, 'keelson.yaml');
      const example = contentOf('three-servers/keelson.yaml').replaceAll('/etc/keelson/pki', pki);
      writeFileSync(config, example.replace(/^etcd-servers: .*$/m, `etcd-servers: [${cluster.endpoints}]`));

      const start = async (name: string, index: number) => {
        const server = ServeProcess.start(
          `--config=${config}`,
          `--data-dir=${join(directory, name)}`,
          `--advertise-address=10.0.0.${index + 1}`,
          // Controllers run only on one server at a time.
          ...(index === 0 ? [] : ['--controllers=']),
        );
        const { url } = await server.ready();
        const kubeconfig = adminKubeconfig({
          server: url,
          caCert: pem('ca.crt'),
          cert: pem('admin.crt'),
          key: pem('admin.key'),
        });
        const api = new TestApi({ url, kubeconfig, stop: async () => {} });
        onTestFinished(() => api.stop());
        return { server, api };
      };
      const servers = await Promise.all(['a', 'b', 'c'].map(start));
      const [first, second, third] = servers;
      const path = '/api/v1/namespaces/default/configmaps';
      expect((await first!.api.post(path, { metadata: { name: 'x' } })).status).toBe(200);
      for (const { api } of servers) expect((await api.get(`${path}/x`)).status).toBe(200);
      // The health check of the load balancer.
      expect((await second!.api.get('/readyz', { credentials: false })).status).toBe(200);
      // A token of one server is accepted by another.
      const accounts = '/api/v1/namespaces/default/serviceaccounts';
      await first!.api.post(accounts, { metadata: { name: 'robot' } });
      const { body } = await first!.api.post(`${accounts}/robot/token`, { spec: {} });
      const headers = { authorization: `Bearer ${body.status.token}` };
      const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
      const review = await second!.api.post(whoami, {}, { credentials: false, headers });
      expect(review.body.status.userInfo.username).toBe('system:serviceaccount:default:robot');

      first!.server.kill('SIGKILL');
      await first!.server.exited;
      expect((await second!.api.post(path, { metadata: { name: 'y' } })).status).toBe(200);
      expect((await third!.api.get(`${path}/y`)).status).toBe(200);
    },
  );
});

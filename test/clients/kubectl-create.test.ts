import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestKubectls } from '../../scripts/test-clients/kubectl.ts';
import type { Server } from '../../src/index.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';
import { TestApi } from '../wire/api.ts';

const run = promisify(execFile);
const kubectls = newestKubectls();
const web = '/apis/apps/v1/namespaces/default/deployments/web';

/** Commands and the objects that they create. The order matters: some commands need objects of earlier ones. */
const creations: readonly [command: string, made: string][] = [
  ['create deployment web --image=example.com/web:1 --replicas=2 --port=80', 'deployment/web'],
  ['create service clusterip inside --tcp=80:8080', 'service/inside'],
  ['create service nodeport outside --tcp=80', 'service/outside'],
  ['create service externalname elsewhere --external-name=example.com', 'service/elsewhere'],
  ['create job once --image=example.com/once:1', 'job/once'],
  ['create ingress front --rule=example.com/*=inside:80', 'ingress/front'],
  ['create role reader --verb=get --resource=pods', 'role/reader'],
  ['create rolebinding readers --role=reader --user=jane', 'rolebinding/readers'],
  ['create clusterrole watcher --verb=get,watch --resource=nodes', 'clusterrole/watcher'],
  ['create clusterrolebinding watchers --clusterrole=watcher --group=ops', 'clusterrolebinding/watchers'],
  ['create quota few --hard=pods=50,services=20', 'quota/few'],
  ['create priorityclass high --value=1000 --description=high', 'priorityclass/high'],
  ['create secret generic keys --from-literal=a=b', 'secret/keys'],
  [
    'create secret docker-registry pull --docker-username=u --docker-password=p --docker-server=r.example.com',
    'secret/pull',
  ],
  ['create configmap settings --from-literal=a=b', 'configmap/settings'],
  ['create serviceaccount robot', 'serviceaccount/robot'],
  ['run alone --image=example.com/alone:1 --restart=Never', 'pod/alone'],
  ['expose deployment web --port=80 --name=exposed', 'service/exposed'],
];

describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  let server: Server;
  let api: TestApi;
  let folder: string;
  const isOld = (): Promise<boolean> => use('version --client').then((text) => text.includes('1.20'));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keelson-kubectl-'));
    server = await startTestedServer({
      storage: 'memory',
      dataDir: join(folder, 'data'),
      controllers: [],
      disableAdmissionPlugins: ['ServiceAccount'],
    });
    api = new TestApi(server);
  });
  afterAll(async () => {
    await api.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function use(args: string): Promise<string> {
    const environment = { ...process.env, HOME: folder, KUBECONFIG: server.kubeconfigFile };
    const { stdout } = await run(kubectl, args.split(' '), { env: environment });
    return stdout;
  }

  it('makes objects of every kind that it has a command for', async () => {
    for (const [command] of creations) expect(await use(command), command).toMatch(/(created|exposed)\n$/);
    // All objects are read by one command, because starting kubectl takes longer than its requests.
    const found = (await use(`get ${creations.map(([, made]) => made).join(' ')} -o name`)).trimEnd().split('\n');
    const nameOf = (made: string): string => made.slice(made.indexOf('/'));
    expect(found.map(nameOf)).toEqual(creations.map(([, made]) => nameOf(made)));
  });

  it('makes objects that need newer versions of kubectl', async ({ skip }) => {
    if (await isOld()) skip('kubectl 1.20 has no command for tokens');
    expect(await use('create cronjob often --image=example.com/often:1 --schedule=@hourly')).toContain('created');
    expect(await use('create token robot')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n?$/);
    expect(await use('create pdb enough --selector=app=web --min-available=1')).toContain('created');
  });

  it('scales, autoscales and changes images', async () => {
    expect(await use('scale deployment web --replicas=3')).toContain('scaled');
    expect((await api.get(web)).body.spec.replicas).toBe(3);
    expect(await use('scale deployment web --current-replicas=3 --replicas=1')).toContain('scaled');
    expect(await use('autoscale deployment web --min=1 --max=5 --cpu-percent=80')).toContain('autoscaled');
    expect(await use('set image deployment/web web=example.com/web:2')).toContain('image updated');
    expect((await api.get(web)).body.spec.template.spec.containers[0].image).toBe('example.com/web:2');
    expect(await use('set resources deployment web --limits=cpu=200m')).toContain('resource requirements updated');
    expect(await use('rollout history deployment/web')).toContain('deployment.apps/web');
  });

  it('autoscales a replication controller, the one target without a group', async () => {
    const labels = { app: 'old' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'example.com/old:1' }] } };
    const controller = { metadata: { name: 'old' }, spec: { template } };
    expect((await api.post('/api/v1/namespaces/default/replicationcontrollers', controller)).status).toBe(200);
    expect(await use('autoscale rc old --min=1 --max=3 --cpu-percent=80')).toContain('autoscaled');
    const autoscaler = await api.get('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers/old');
    expect(autoscaler.body.spec.scaleTargetRef.apiVersion).toBe('v1');
    expect(await use('label hpa old team=a')).toContain('labeled');
  });

  it('shows all of it', async () => {
    const all = await use('get all -o wide');
    for (const name of ['pod/alone', 'service/inside', 'deployment.apps/web', 'job.batch/once'])
      expect(all).toContain(name);
    expect(await use('describe deployment web')).toContain(
      'RollingUpdateStrategy:  25% max unavailable, 25% max surge',
    );
    expect(await use('describe service inside')).toMatch(/IP:\s+10\./);
  });

  it('explains whole types', async () => {
    // Cron jobs contain all fields of pods.
    for (const kind of ['cronjobs', 'services', 'networkpolicies']) {
      expect((await use(`explain ${kind} --recursive`)).split('\n').length, kind).toBeGreaterThan(30);
    }
  });

  it('prints the errors of the server', async () => {
    await expect(use('create deployment Web --image=x')).rejects.toMatchObject({
      stderr: expect.stringContaining('a lowercase RFC 1123'),
    });
    await expect(use('scale deployment web --replicas=-1')).rejects.toBeDefined();
  });
});

import type { Bench } from '../bench.ts';
import { compare } from '../comparison.ts';
import { type AdmissionObject, idleWebhooks, podPolicies, podWebhook } from '../fixtures/admission-configurations.ts';
import { makeNamespace } from '../fixtures/filled-namespace.ts';
import { samplePod } from '../fixtures/sample-objects.ts';
import type { Scenario } from '../scenario.ts';
import { callApi } from '../servers/api-call.ts';
import { startKeelson } from '../servers/keelson-process.ts';
import type { Server } from '../servers/server.ts';
import { startWebhook } from '../servers/webhook-process.ts';

interface AdmissionVariant {
  readonly name: string;
  readonly title: string;
  readonly clients: number;
  readonly goal: number;
  readonly configuration: (bench: Bench) => Promise<readonly AdmissionObject[]> | readonly AdmissionObject[];
}

const variants: readonly AdmissionVariant[] = [
  {
    name: 'admission-policies',
    title: 'create a pod, 20 validating policies / none',
    clients: 16,
    goal: 0.77,
    configuration: () => podPolicies(20),
  },
  {
    name: 'admission-idle-webhooks',
    title: 'create a pod, 100 webhooks that do not match / none',
    clients: 16,
    goal: 0.95,
    configuration: () => idleWebhooks(100),
  },
  {
    name: 'admission-webhook',
    title: 'create a pod, one local webhook / none, 64 clients',
    clients: 64,
    goal: 0.5,
    configuration: async (bench) => [podWebhook(await startWebhook(bench))],
  },
];

const namespace = 'bench-admission';

/** The cost of policies and webhooks: two servers, of which one has the configuration. */
export const admissionScenarios: readonly Scenario[] = variants.map(
  ({ name, title, clients, goal, configuration }) => ({
    name,
    run: async (bench) => {
      const ours = await startServer(bench, await configuration(bench));
      const bare = await startServer(bench, []);
      const comparison = await compare(
        bench,
        { ours, bare },
        {
          protocol: 'h2',
          connections: clients,
          streams: 1,
          request: (round) => ({
            method: 'POST',
            path: `/api/v1/namespaces/${namespace}/pods`,
            body: samplePod(`round-${round}`),
          }),
        },
      );
      await Promise.all([ours.stop(), bare.stop()]);
      return [{ name, title, unit: 'requests/s', better: 'higher', goal: { ratio: goal }, ...comparison }];
    },
  }),
);

async function startServer(bench: Bench, configuration: readonly AdmissionObject[]): Promise<Server> {
  const server = await startKeelson(bench, await bench.makeDirectory());
  await makeNamespace(server, namespace);
  for (const { path, body } of configuration) {
    await callApi(server.target('http/1.1'), { method: 'POST', path, body });
  }
  return server;
}

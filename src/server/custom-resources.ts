import type { Client } from '../client/index.ts';
import { type ServiceResolver, type WebhookClientConfig, WebhookClients } from '../client/webhook/index.ts';
import {
  CustomResources,
  DefinitionController,
  definitionType,
  groupOf,
  noneConverter,
  webhookConverter,
} from '../extensions/index.ts';
import type { Meter } from '../meta/meter.ts';
import type { CreateScope, ResourceDefinition, ResourceSet } from '../registry/index.ts';
import { auditLogOptions } from './audit-options.ts';
import type { ResolvedOptions } from './options.ts';
import { serviceTarget } from './service-target.ts';

export interface CustomResourcesDependencies {
  readonly options: ResolvedOptions;
  readonly resources: ResourceSet;
  /** The built-in types. */
  readonly definitions: readonly ResourceDefinition[];
  /** Called when a definition has to be changed. */
  readonly client: () => Client;
  /** Called after each change of the types of a group. */
  readonly onGroup: (group: string) => void;
  /** The time until all servers of the store have noticed the deletion of a type. */
  readonly settleMs: number;
  /** Resolves when all running requests of this server that create an object in the scope have ended. */
  readonly createsEnded: (scope: CreateScope) => Promise<void>;
  /** Counts calls of conversion webhooks, and measures rules. */
  readonly meter: Meter;
  /** Abort it to end the calls of conversion webhooks. */
  readonly stopCalls: AbortSignal;
  readonly signal: AbortSignal;
}

/** Serves custom resources. Resolves when those of all stored definitions are served. */
export async function serveCustomResources(dependencies: CustomResourcesDependencies): Promise<{ start(): void }> {
  const { options, resources, definitions, client, onGroup, settleMs, createsEnded, meter, stopCalls, signal } =
    dependencies;
  const report = (err: Error): void => options.log.error('custom resource definition failed', { err });
  const isAudited = auditLogOptions(options) !== undefined;
  let controller: DefinitionController | undefined;
  const services: ServiceResolver = { resolve: (service) => serviceTarget(resources, service) };
  const clients = new WebhookClients({ services, meter, stop: stopCalls });
  stopCalls.addEventListener('abort', () => clients.close(), { once: true });
  const custom = new CustomResources({
    resources,
    makeConverter({ strategy, webhook }) {
      if (strategy !== 'Webhook') return noneConverter;
      const { clientConfig = {}, conversionReviewVersions } = webhook ?? {};
      return webhookConverter({
        clientConfig: clientConfig as WebhookClientConfig,
        conversionReviewVersions: conversionReviewVersions ?? [],
        clients,
      });
    },
    meter,
    onDefinition: (name) => {
      controller?.changed(name);
      onGroup(groupOf(name));
    },
    onError: report,
  });
  await custom.follow(signal);
  return {
    start() {
      const builtInNames = (group: string) => {
        const ofGroup = definitions.filter((definition) => definition.group === group);
        return {
          resources: new Set(
            ofGroup.flatMap(({ resource, singular, shortNames }) => [resource, singular, ...shortNames]),
          ),
          kinds: new Set(ofGroup.flatMap(({ kind }) => [kind, `${kind}List`])),
        };
      };
      controller = new DefinitionController(
        {
          client: client(),
          definitions: custom,
          builtInNames,
          deleteInstances: async (type) => {
            await createsEnded({ type });
            return resources.deleteAll(type);
          },
          // Audited servers write the status with requests, because only requests are audited.
          writeStatus: isAudited ? undefined : (type, write) => resources.writeStatus(type, write),
          settleMs,
          clock: options.clock,
          report,
        },
        signal,
      );
      controller.start();
      resources.setFirstStatus(definitionType, (object) => controller?.firstStatus(object));
      signal.addEventListener('abort', () => resources.setFirstStatus(definitionType, () => undefined), { once: true });
    },
  };
}

import type { Authorization } from '../http/filters/authorize.ts';
import type { Connect } from '../http/handlers/connect.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import type { Kubelets } from './kubelets.ts';
import { PodLocator } from './pod-location.ts';
import { podLog } from './pod-log.ts';
import { podCommand, podPortForward } from './pod-streams.ts';

export interface PodSubresourceDependencies {
  readonly objects: ObjectReader;
  readonly kubelets: Kubelets;
  readonly authorization: Pick<Authorization, 'check'>;
  /** Abort it to close idle connections. */
  readonly signal: AbortSignal;
}

/** The subresources of pods that kubelets serve. */
export function podSubresources(dependencies: PodSubresourceDependencies): Readonly<Record<string, Connect>> {
  const { objects, kubelets, authorization, signal } = dependencies;
  const pods = new PodLocator(objects, kubelets);
  return {
    'pods/attach': podCommand('attach', { pods, authorization }),
    'pods/exec': podCommand('exec', { pods, authorization }),
    'pods/log': podLog(pods, signal),
    'pods/portforward': podPortForward({ pods, authorization }),
  };
}

import type { ResourceObject } from '../meta/object.ts';
import { StatusError } from '../meta/status-error.ts';
import { serverUser } from '../meta/user.ts';
import type { ResourceSet, Verbs } from '../registry/index.ts';
import { ipFamily } from '../resources/validation/addresses.ts';

export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

/** The service that takes an address. */
export interface Claim extends ServiceName {
  readonly uid: string;
}

const type = { group: 'networking.k8s.io', version: 'v1', resource: 'ipaddresses' };
const managedBy = 'ipaddress.kubernetes.io/managed-by';
const familyLabel = 'ipaddress.kubernetes.io/ip-family';
const manager = 'ipallocator.k8s.io';
const writer = { user: serverUser, fieldManager: 'kube-apiserver' };

interface AddressObject extends ResourceObject {
  readonly spec?: { readonly parentRef?: { readonly namespace?: string; readonly name?: string } };
}

/** The IPAddress objects of the addresses of services. Does nothing when the type is not served. */
export class AddressObjects {
  readonly #resources: ResourceSet;

  constructor(resources: ResourceSet) {
    this.#resources = resources;
  }

  /** Returns false when the object exists. Rejects with a StatusError. */
  async create(ip: string, { namespace, name }: Claim): Promise<boolean> {
    if (this.#verbs().create === undefined) return true;
    const family = ipFamily(ip);
    const object = {
      metadata: { name: ip, labels: { ...(family && { [familyLabel]: family }), [managedBy]: manager } },
      spec: { parentRef: { group: '', resource: 'services', namespace, name } },
    };
    try {
      await this.#resources.create(type, object, writer);
      return true;
    } catch (error) {
      if (hasCode(error, 409)) return false;
      throw error;
    }
  }

  /** Removes the object only if it belongs to this claim. A missing object is no error. */
  async remove(ip: string, { namespace, name }: Claim): Promise<void> {
    if (this.#verbs().delete === undefined) return;
    const object = (await this.#resources.get(type, { namespace: '', name: ip })) as AddressObject | undefined;
    const parent = object?.spec?.parentRef;
    if (parent?.name === name && parent.namespace === namespace) await this.#delete(object!);
  }

  /** Removes the objects of services that were never stored or are deleted. Objects of users stay. */
  async removeAllBut(isNeeded: (ip: string, parent: ServiceName) => boolean): Promise<void> {
    if (this.#verbs().delete === undefined) return;
    for (const object of (await this.#resources.list(type, '')) as AddressObject[]) {
      if (object.metadata.labels?.[managedBy] !== manager) continue;
      const { namespace = '', name = '' } = object.spec?.parentRef ?? {};
      if (!isNeeded(object.metadata.name ?? '', { namespace, name })) await this.#delete(object);
    }
  }

  async #delete({ metadata: { name = '', uid = '' } }: ResourceObject): Promise<void> {
    const options = {
      dryRun: false,
      gracePeriodSeconds: undefined,
      orphanDependents: undefined,
      propagationPolicy: undefined,
      preconditions: { uid },
    };
    try {
      await this.#verbs().delete?.({ namespace: '', name, options, user: serverUser, warn });
    } catch (error) {
      if (!hasCode(error, 404) && !hasCode(error, 409)) throw error;
    }
  }

  #verbs(): Verbs {
    return this.#resources.find(type)?.verbs ?? {};
  }
}

/** The server's own writes have no client to warn. */
const warn = (): void => {};

function hasCode(error: unknown, code: number): boolean {
  return error instanceof StatusError && error.status.code === code;
}

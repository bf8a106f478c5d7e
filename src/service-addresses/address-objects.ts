import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import { StatusError } from '../meta/status-error.ts';
import { serverUser } from '../meta/user.ts';
import type { ResourceSet, Verbs } from '../registry/index.ts';
import type { IPAddress } from '../resources/networking/service-address-types.ts';
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
/** The uid of the service that has claimed the address. Only where servers share a store. */
const claimedBy = 'service-addresses.keelson/claimed-by';
const writer = { user: serverUser, fieldManager: 'kube-apiserver' };

/** How often a removal is retried when another server writes the object at the same time. */
const removalAttempts = 5;

/** The IPAddress objects of the addresses of services. Does nothing when the type is not served. */
export class AddressObjects {
  readonly #resources: ResourceSet;
  readonly #isShared: boolean;

  /** `isShared`: other servers also write these objects. */
  constructor(resources: ResourceSet, { isShared }: { readonly isShared: boolean }) {
    this.#resources = resources;
    this.#isShared = isShared;
  }

  get areServed(): boolean {
    return this.#resources.find(type) !== undefined;
  }

  /** The service that has the address. Undefined when the address is free. */
  async find(ip: string): Promise<ServiceName | undefined> {
    const object = this.areServed ? await this.#current(ip) : undefined;
    return object && parentOf(object);
  }

  /** All objects that are managed here, by address, as of now. */
  async all(): Promise<ReadonlyMap<string, ManagedAddress>> {
    if (!this.areServed) return new Map();
    const objects = (await this.#resources.current.list(type, '')) as IPAddress[];
    const managed = objects.filter(({ metadata }) => metadata.labels?.[managedBy] === manager);
    return new Map(managed.map((object) => [object.metadata.name ?? '', managedAddress(object)]));
  }

  /** Returns false when the object exists. Rejects with a StatusError. */
  async create(ip: string, { namespace, name, uid }: Claim): Promise<boolean> {
    if (this.#verbs().create === undefined) return true;
    const family = ipFamily(ip);
    const object = {
      metadata: {
        name: ip,
        labels: { ...(family && { [familyLabel]: family }), [managedBy]: manager },
        ...(this.#isShared && { annotations: { [claimedBy]: uid } }),
      },
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

  /** Gives an object that names the same service to this claim. Returns false when it names another one. */
  async adopt(ip: string, claim: Claim): Promise<boolean> {
    const result = await this.#resources.update(type, { namespace: '', name: ip }, (object) => {
      if (!isParent(object, claim)) return undefined;
      const annotations = { ...object.metadata.annotations, [claimedBy]: claim.uid };
      return { ...object, metadata: { ...object.metadata, annotations } };
    });
    return result !== undefined && isClaimed(result, claim);
  }

  /** Removes the object only if it belongs to this claim. A missing object is not an error. */
  async remove(ip: string, claim: Claim): Promise<void> {
    if (this.#verbs().delete === undefined) return;
    for (let attempt = 1; attempt <= removalAttempts; attempt++) {
      const object = await this.#current(ip);
      if (object === undefined || !isParent(object, claim) || !isClaimed(object, claim)) return;
      if (await this.#delete(object)) return;
    }
  }

  /** Removes the object if it has not changed since. */
  async removeUnchanged({ ip, uid, resourceVersion }: ManagedAddress): Promise<void> {
    await this.#delete({ metadata: { name: ip, uid, resourceVersion } });
  }

  /** Removes the objects of services that were never stored or are deleted. Objects of users stay. */
  async removeAllBut(isNeeded: (ip: string, parent: ServiceName) => boolean): Promise<void> {
    if (this.#verbs().delete === undefined) return;
    for (const object of (await this.#resources.list(type, '')) as IPAddress[]) {
      if (object.metadata.labels?.[managedBy] !== manager) continue;
      if (!isNeeded(object.metadata.name ?? '', parentOf(object))) await this.#delete(object);
    }
  }

  #current(ip: string): MaybePromise<IPAddress | undefined> {
    return this.#resources.current.get(type, { namespace: '', name: ip }) as MaybePromise<IPAddress | undefined>;
  }

  /** Returns false when the object has changed meanwhile. */
  async #delete({ metadata: { name = '', uid = '', resourceVersion } }: ResourceObject): Promise<boolean> {
    const options = {
      dryRun: false,
      gracePeriodSeconds: undefined,
      orphanDependents: undefined,
      propagationPolicy: undefined,
      preconditions: { uid, ...(this.#isShared && { resourceVersion }) },
    };
    try {
      await this.#verbs().delete?.({ namespace: '', name, options, user: serverUser, warn });
    } catch (error) {
      if (hasCode(error, 409)) return false;
      if (!hasCode(error, 404)) throw error;
    }
    return true;
  }

  #verbs(): Verbs {
    return this.#resources.find(type)?.verbs ?? {};
  }
}

/** One managed object, as it was read. */
export interface ManagedAddress {
  readonly ip: string;
  readonly parent: ServiceName;
  readonly uid: string;
  readonly resourceVersion: string;
}

function managedAddress(object: IPAddress): ManagedAddress {
  const { name: ip = '', uid = '', resourceVersion = '' } = object.metadata;
  return { ip, parent: parentOf(object), uid, resourceVersion };
}

function parentOf({ spec }: IPAddress): ServiceName {
  const { namespace = '', name = '' } = spec?.parentRef ?? {};
  return { namespace, name };
}

function isParent(object: IPAddress, { namespace, name }: ServiceName): boolean {
  const parent = parentOf(object);
  return parent.namespace === namespace && parent.name === name;
}

/** An object without the annotation belongs to any service of that name. */
function isClaimed({ metadata: { annotations } }: ResourceObject, { uid }: Claim): boolean {
  return (annotations?.[claimedBy] ?? uid) === uid;
}

/** The server's own writes have no client to warn. */
const warn = (): void => {};

function hasCode(error: unknown, code: number): boolean {
  return error instanceof StatusError && error.status.code === code;
}

import { invalidValue } from '../meta/field-error.ts';
import { invalid } from '../meta/status-error.ts';
import { headlessIp } from '../resources/core/service/service-spec.ts';
import type { ServiceSpec } from '../resources/core/service-types.ts';
import { type AddressAllocator, AddressProblem } from './address-allocator.ts';
import type { AddressFamily } from './address-family.ts';
import type { Claim } from './address-objects.ts';
import { isUnchangedPreference } from './ip-families.ts';

/** The addresses that one write allocates and releases. */
export class AddressOperation {
  readonly #allocator: AddressAllocator;
  readonly #claim: Claim;
  readonly #dryRun: boolean;
  readonly #allocated: string[] = [];
  readonly #released: string[] = [];

  constructor(allocator: AddressAllocator, { claim, dryRun }: { readonly claim: Claim; readonly dryRun: boolean }) {
    this.#allocator = allocator;
    this.#claim = claim;
    this.#dryRun = dryRun;
  }

  /** Takes one address for each IP family. */
  async allocateAll(spec: ServiceSpec): Promise<void> {
    if (spec.type === 'ExternalName' || spec.clusterIPs?.[0] === headlessIp) return;
    const families = spec.ipFamilies ?? [];
    const wanted = families.map((_family, index) => spec.clusterIPs?.[index] ?? '');
    const ips = [...wanted];
    for (const index of families.keys()) ips[index] = await this.#allocate(wanted, index, families);
    spec.clusterIPs = ips;
    spec.clusterIP = ips[0];
  }

  /** Keeps the addresses of the service, except the one of a second family, which may be added and removed. */
  async update(spec: ServiceSpec, before: ServiceSpec): Promise<void> {
    if (isUnchangedPreference(spec, before)) return;
    if (before.type === 'ExternalName') return this.allocateAll(spec);
    const old = before.clusterIPs ?? [];
    if (old[0] === headlessIp) return;
    if (spec.type === 'ExternalName') {
      this.#released.push(...old);
      return;
    }
    const families = spec.ipFamilies ?? [];
    const [familyCount, oldCount] = [families.length, before.ipFamilies?.length ?? 0];
    if (oldCount === 1 && familyCount === 2) {
      const wanted = [spec.clusterIPs?.[0] ?? '', spec.clusterIPs?.[1] ?? ''];
      spec.clusterIPs = [wanted[0]!, await this.#allocate(wanted, 1, families)];
    } else if (oldCount === 2 && familyCount === 1 && old[1] !== undefined) {
      this.#released.push(old[1]);
    }
  }

  async #allocate(wanted: readonly string[], index: number, families: readonly string[]): Promise<string> {
    const ip = wanted[index]!;
    const options = { dryRun: this.#dryRun };
    try {
      const allocated =
        ip === ''
          ? await this.#allocator.allocateNext(families[index] as AddressFamily, this.#claim, options)
          : await this.#allocator.allocate(ip, this.#claim, options);
      if (allocated.isOwn) this.#allocated.push(allocated.ip);
      return allocated.ip;
    } catch (error) {
      if (!(error instanceof AddressProblem)) throw error;
      const detail = `failed to allocate IP${ip === '' ? '' : ` ${ip}`}: ${error.message}`;
      const finding = invalidValue('spec.clusterIPs', wanted, detail);
      throw invalid({ group: '', kind: 'Service' }, this.#claim.name, [finding]);
    }
  }

  /** `isUsed`: addresses that the service has although this write has failed. */
  async finish({ committed }: { readonly committed: boolean }, isUsed: (ip: string) => boolean): Promise<void> {
    if (this.#dryRun) return;
    for (const ip of committed ? this.#released : this.#allocated) {
      if (committed || !isUsed(ip)) await this.#allocator.release(ip, this.#claim);
    }
  }
}

import { invalidValue } from '../meta/field-error.ts';
import { invalid } from '../meta/status-error.ts';
import { headlessIp, type ServiceSpec } from '../resources/core/service/service-spec.ts';
import { type AddressBook, AddressProblem } from './address-book.ts';
import type { AddressFamily } from './address-family.ts';
import type { Claim } from './address-objects.ts';
import { isUnchangedPreference } from './ip-families.ts';

/** The addresses that one write allocates and releases. */
export class AddressOperation {
  readonly #book: AddressBook;
  readonly #claim: Claim;
  readonly #dryRun: boolean;
  readonly #taken: string[] = [];
  readonly #released: string[] = [];

  constructor(book: AddressBook, { claim, dryRun }: { readonly claim: Claim; readonly dryRun: boolean }) {
    this.#book = book;
    this.#claim = claim;
    this.#dryRun = dryRun;
  }

  /** Takes one address for each IP family. */
  async takeAll(spec: ServiceSpec): Promise<void> {
    if (spec.type === 'ExternalName' || spec.clusterIPs?.[0] === headlessIp) return;
    const families = spec.ipFamilies ?? [];
    const wanted = families.map((_family, index) => spec.clusterIPs?.[index] ?? '');
    const ips = [...wanted];
    for (const index of families.keys()) ips[index] = await this.#take(wanted, index, families);
    spec.clusterIPs = ips;
    spec.clusterIP = ips[0];
  }

  /** Keeps the addresses of the service, except the one of a second family, which may be added and removed. */
  async update(spec: ServiceSpec, before: ServiceSpec): Promise<void> {
    if (isUnchangedPreference(spec, before)) return;
    if (before.type === 'ExternalName') return this.takeAll(spec);
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
      spec.clusterIPs = [wanted[0]!, await this.#take(wanted, 1, families)];
    } else if (oldCount === 2 && familyCount === 1 && old[1] !== undefined) {
      this.#released.push(old[1]);
    }
  }

  async #take(wanted: readonly string[], index: number, families: readonly string[]): Promise<string> {
    const ip = wanted[index]!;
    const options = { dryRun: this.#dryRun };
    try {
      const taken =
        ip === ''
          ? await this.#book.takeAny(families[index] as AddressFamily, this.#claim, options)
          : await this.#book.take(ip, this.#claim, options);
      if (taken.isOwn) this.#taken.push(taken.ip);
      return taken.ip;
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
    for (const ip of committed ? this.#released : this.#taken) {
      if (committed || !isUsed(ip)) await this.#book.release(ip, this.#claim);
    }
  }
}

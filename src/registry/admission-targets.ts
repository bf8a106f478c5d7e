import type { AdmissionTarget } from '../admission/index.ts';
import { apiVersionOf } from '../meta/group-version.ts';
import { storedTarget } from './admit-write.ts';
import type { DecodableKind } from './decodable-kind.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import type { TypeVersion, TypeVersions } from './type-versions.ts';

/** A served version of a type, with its endpoints. */
export interface AdmittedVersion extends DecodableKind {
  readonly definition: ResourceDefinition;
  readonly versions: TypeVersions<TypeVersion>;
  readonly admissionTargets: AdmissionTargets;
}

/**
 * The endpoints of one version of a type, as they are described to the admission plugins. Plugins cache data about an
 * endpoint by its target.
 */
export class AdmissionTargets {
  readonly #own: AdmittedVersion;
  readonly #served: () => readonly AdmittedVersion[];
  readonly #bySubresource = new Map<string, AdmissionTarget>();

  /** `served` returns all served versions of the type. */
  constructor(own: AdmittedVersion, served: () => readonly AdmittedVersion[]) {
    this.#own = own;
    this.#served = served;
  }

  /** The main resource has the empty name. */
  of(subresource: string): AdmissionTarget {
    const known = this.#bySubresource.get(subresource);
    if (known !== undefined) return known;
    const own = this.#own;
    const target = storedTarget(own.definition, subresource, {
      kind: own,
      targets: (name) => this.#versionsWith(name).map(({ admissionTargets }) => admissionTargets.of(name)),
      convert: (object, { resource }) => own.versions.copyIn(apiVersionOf(resource), object),
    });
    this.#bySubresource.set(subresource, target);
    return target;
  }

  /** Must be called when the versions of the type change. */
  versionsChanged(): void {
    this.#bySubresource.clear();
  }

  #versionsWith(subresource: string): readonly AdmittedVersion[] {
    const served = this.#served();
    if (subresource === '') return served;
    return served.filter(({ definition }) => definition.subresources.some(({ name }) => name === subresource));
  }
}

import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';

/** Converts objects of one definition between its versions. */
export interface Converter {
  /**
   * Returns the objects in the desired version, in the same order. An object that has it already is returned as it is.
   * Others are new, but share parts with the originals. Throws or rejects with a StatusError if any object cannot be
   * converted.
   */
  convert(objects: readonly ResourceObject[], desiredApiVersion: string): MaybePromise<ResourceObject[]>;
}

/** Strategy `None`: all versions have the same fields. */
export const noneConverter: Converter = {
  convert: (objects, apiVersion) =>
    objects.map((object) => (object.apiVersion === apiVersion ? object : { ...object, apiVersion })),
};

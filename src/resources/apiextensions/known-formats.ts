import type { ResourceObject } from '../../meta/object.ts';
import { specOf } from './definition-shape.ts';
import { someSchema } from './json-schema.ts';

/** Compared without dashes. */
const formats: ReadonlySet<string> = new Set(
  (
    'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn ' +
    'hexcolor rgbcolor byte password date duration datetime int32 int64 float double k8sshortname k8slongname'
  ).split(' '),
);

/** The formats in the schemas of a definition that say nothing to the server. */
export function unknownFormats(object: ResourceObject): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { schema } of specOf(object).versions ?? []) {
    if (schema?.openAPIV3Schema === undefined) continue;
    someSchema(schema.openAPIV3Schema, ({ format }) => {
      if (format && !formats.has(format.replaceAll('-', ''))) found.add(format);
      return false;
    });
  }
  return found;
}

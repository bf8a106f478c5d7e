import { metaV1 } from './meta-v1.ts';
import { PackageDescriptions } from './package-descriptions.ts';

/** The texts of the types that all kinds share, for servers without built-in kinds. */
export const metaDescriptions = new PackageDescriptions({ 'meta/v1': [metaV1] });

import { FunctionTable } from '../checker/declarations.ts';
import { authorizers } from './authorizers.ts';
import { cidrs } from './cidrs.ts';
import { conversions } from './conversions.ts';
import { ips } from './ips.ts';
import { listTransforms } from './list-transforms.ts';
import { lists } from './lists.ts';
import { namedFormats } from './named-formats.ts';
import { operators } from './operators.ts';
import { optionals } from './optionals.ts';
import { quantities } from './quantities.ts';
import { regex } from './regex.ts';
import { semvers } from './semvers.ts';
import { sets } from './sets.ts';
import { strings } from './strings.ts';
import { timestamps } from './timestamps.ts';
import { urls } from './urls.ts';

/** The functions that all expressions in Kubernetes may call. Libraries for specific uses are in another table. */
export const kubernetesFunctions = new FunctionTable(
  [
    operators,
    conversions,
    timestamps,
    strings,
    lists,
    listTransforms,
    sets,
    regex,
    urls,
    ips,
    cidrs,
    quantities,
    semvers,
    namedFormats,
    optionals,
    authorizers,
  ].flat(),
);

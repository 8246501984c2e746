//! The images of the compose file in a container storage of this run: built from the tree, or taken
//! from archives that `npm run image` wrote.
import { join, resolve } from 'node:path';
import { buildImages, type Storage, storageIn } from '../../../tools/image/build.ts';
import { shell } from '../../../tools/image/shell.ts';
import { prepareContext } from '../../../tools/image.ts';
import { rebuildSites } from '../../../tools/pack/sites.ts';
import { type OpenImage, openImage } from './containers.ts';

export interface Images {
  readonly storage: Storage;
  readonly opened: ReadonlyMap<string, OpenImage>;
}

export async function openImages(
  folder: string,
  names: readonly string[],
  archives: string | undefined,
): Promise<Images> {
  const storage = storageIn(folder);
  if (archives === undefined) {
    rebuildSites();
    const context = join(folder, 'context');
    const { labels } = await prepareContext(context, { isUpdate: false, mirror: undefined });
    buildImages({ context, name: 'holdfast', labels, storage });
  } else {
    const policy = `--signature-policy=${join(folder, 'policy.json')}`;
    for (const name of names) {
      const path = resolve(archives, `${name.replace(':', '-')}.oci.tar`);
      shell('buildah', ['pull', '--quiet', policy, `oci-archive:${path}`], { env: storage });
    }
  }
  return { storage, opened: new Map(names.map((name) => [name, openImage(name, storage)])) };
}

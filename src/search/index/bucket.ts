/** Products are spread over several search hosts by bucket. */
export const bucketCount = 1024;

/**
 * The bucket of a product, the same as `search_bucket` in Postgres. The prime keeps ids of any step apart;
 * the odd factor fills all buckets evenly.
 */
export function bucketOf(itemId: number): number {
  return Math.floor((((Math.abs(itemId) % 65_521) * 40_503) % 65_536) / 64);
}

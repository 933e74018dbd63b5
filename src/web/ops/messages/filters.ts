/** Words of the filters above lists. */
export const filtersJa = {
  all: "すべて",
  show: "絞り込む",
  reset: "条件を消す",
  next: "次のページ",
};

export const filtersEn: typeof filtersJa = {
  all: "All",
  show: "Filter",
  reset: "Clear the filters",
  next: "Next page",
};

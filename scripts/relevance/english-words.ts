/** The goods of one kind of shop and their attributes. `parseSpellings` reads the entries. */
export interface Goods {
  types: string;
  /** At most one attribute of each list. */
  attributes: string[];
  /** `unit: numbers`; a title may have each. */
  measures: string[];
  packs: number[];
  /** The share with a model number. */
  models: number;
}

const finishes =
  "brushed nickel; oil rubbed bronze; matte black; polished chrome; satin brass; antique copper";
const colours =
  "white; black; navy blue; dark green; light grey|letters:light gray; red; almond; teal; ivory; charcoal";

export const englishGoods: Goods[] = [
  {
    types:
      "elbow; tee; coupling; pipe cap; reducer; union; ball valve; check valve; gate valve; hose bibb; pipe strap; pipe hanger; male adapter; female adapter; nipple; bushing; street elbow",
    attributes: [
      "copper; brass; PVC; CPVC; galvanized steel|letters:galvanised steel; black iron; stainless steel; PEX",
      "90-degree|compound:90 degree; 45-degree|compound:45 degree; threaded; push-fit|compound:push fit,pushfit; barbed; slip; compression; lead-free|compound:lead free",
    ],
    measures: ["in.: 1/4 3/8 1/2 5/8 3/4 1 1-1/4 1-1/2 2 3"],
    packs: [5, 10, 25],
    models: 0.1,
  },
  {
    types:
      "wood screw; deck screw; drywall screw|compound:dry wall screw; machine screw; sheet metal screw; lag bolt; carriage bolt; hex nut; wing nut|compound:wingnut; flat washer; lock washer; roofing nail; finishing nail; wall anchor; eye bolt|compound:eyebolt; threaded rod; cotter pin; toggle bolt; corner brace; joist hanger",
    attributes: [
      "zinc plated|compound:zinc-plated; stainless steel; solid brass; hot-dip galvanized|compound:hot dip galvanized; black oxide; bronze coated",
      "phillips; slotted; torx; square drive; flat head|compound:flathead; pan head; hex head; coarse thread",
    ],
    measures: ["in.: 3/4 1 1-1/4 1-1/2 2 2-1/2 3 4 6"],
    packs: [10, 25, 50, 100, 250],
    models: 0,
  },
  {
    types:
      "light bulb|compound:lightbulb; ceiling fan; ceiling light; pendant light; wall sconce; floor lamp; desk lamp; night light|compound:nightlight; string lights; floodlight|compound:flood light; track light; lamp shade|compound:lampshade; dimmer switch; chandelier; vanity light; path light; work light|compound:worklight; flashlight|compound:flash light",
    attributes: [
      finishes,
      "LED; solar; motion sensor; battery operated; plug-in|compound:plug in,plugin; dimmable; outdoor; remote control",
      "daylight; soft white; warm white; frosted; edison; clear glass; linen shade",
    ],
    measures: ["watt: 5 7 9 12 15 40 60 75 100", "in.: 6 10 14 42 52"],
    packs: [2, 4, 6, 12],
    models: 0.4,
  },
  {
    types:
      "cordless drill; circular saw; jigsaw|compound:jig saw; angle grinder; impact driver; orbital sander; rotary hammer; heat gun; table saw; miter saw|letters:mitre saw; chainsaw|compound:chain saw; leaf blower; pressure washer; lawn mower|compound:lawnmower; hedge trimmer; string trimmer; shop vacuum; air compressor; nail gun|compound:nailgun; drill bit set; saw blade; battery charger; belt sander; wet tile saw",
    attributes: [
      "brushless; corded; gas powered|compound:gas-powered; lithium-ion|compound:lithium ion; electric; cordless; pneumatic",
      "compact; variable speed; heavy duty|compound:heavy-duty; self-propelled|compound:self propelled; quiet; right angle",
    ],
    measures: ["volt: 12 18 20 40 60", "amp: 6 8 12 15", "in.: 4-1/2 6-1/2 7-1/4 10 21"],
    packs: [],
    models: 0.85,
  },
  {
    types:
      "screwdriver|compound:screw driver; pipe wrench; adjustable wrench; socket set; claw hammer; tape measure; utility knife; tool box|compound:toolbox; tool bag; hacksaw|compound:hack saw; wire stripper; needle nose pliers; locking pliers; torpedo level; stud finder|compound:studfinder; caulking gun; putty knife; pry bar; staple gun; sawhorse|compound:saw horse; workbench|compound:work bench; ratchet; hex key set; bolt cutter; clamp",
    attributes: [
      "chrome vanadium; forged steel; aluminum|letters:aluminium; fiberglass|letters:fibreglass; carbon steel; hardened",
      "magnetic; insulated; ratcheting; folding; quick release; soft grip; heavy duty|compound:heavy-duty; retractable",
    ],
    measures: ["in.: 1/4 3/8 1/2 6 8 10 12 24", "ft.: 16 25 35", "oz.: 16 20"],
    packs: [2, 3, 6],
    models: 0.35,
  },
  {
    types:
      "mug; mixing bowl; cutting board; frying pan; saucepan|compound:sauce pan; stockpot|compound:stock pot; baking sheet; cake pan; muffin tin; measuring cup; water bottle; food container; lunch box|compound:lunchbox; tea kettle; coffee maker|compound:coffeemaker; blender; toaster oven; slow cooker; dish rack; dish towel|compound:dishtowel; oven mitt; chef knife; bread knife; vegetable peeler; can opener; colander; spice rack; salad spinner; rolling pin; wine glass; dinner plate; pepper mill; ladle; teapot|compound:tea pot; ice cube tray",
    attributes: [
      "ceramic; stainless steel; borosilicate glass; bamboo; silicone; cast iron; nonstick|compound:non-stick,non stick; enamel; acacia wood; porcelain; stoneware",
      colours,
      "dishwasher safe|compound:dish washer safe; microwave safe; oven safe; stackable; leakproof|compound:leak proof,leak-proof; with lid; hand painted|compound:handpainted,hand-painted; insulated; collapsible",
    ],
    measures: ["ml: 250 350 500 750 1000", "oz.: 8 12 16 20 32", "qt.: 1 2 3 5 8", "in.: 8 10 12"],
    packs: [2, 4, 6],
    models: 0.15,
  },
  {
    types:
      "shower head|compound:showerhead; shower curtain; bath mat|compound:bathmat; towel bar; towel ring; toilet seat; toilet paper holder; soap dispenser; kitchen faucet; bathroom faucet; sink strainer; toilet flapper; shower caddy; bathroom vanity; medicine cabinet; grab bar; hand towel; robe hook; toothbrush holder|compound:tooth brush holder; shower door; bidet attachment; fill valve",
    attributes: [
      finishes,
      "single handle|compound:single-handle; pull-down|compound:pull down,pulldown; slow close|compound:slow-close; elongated; wall mount|compound:wall-mount,wallmount; handheld|compound:hand held,hand-held; rainfall; adhesive; mildew resistant; quick dry",
    ],
    measures: ["in.: 1/2 6 8 18 24 36 72"],
    packs: [2, 3],
    models: 0.5,
  },
  {
    types:
      "garden hose; hose reel; hose nozzle; hose clamp; flower pot|compound:flowerpot; planter box; raised garden bed; watering can; pruning shears; shovel; leaf rake; wheelbarrow|compound:wheel barrow; bird feeder|compound:birdfeeder; bird bath|compound:birdbath; patio umbrella; patio chair; fire pit|compound:firepit; grill cover; lawn edging; weed barrier; potting soil; grass seed; compost bin; rain barrel; trellis; sprinkler; tomato cage; garden gloves; hammock",
    attributes: [
      "terracotta; cedar; galvanized steel|letters:galvanised steel; resin; wicker; cast iron; polyester; rubber; teak",
      colours,
      "expandable; kink free|compound:kink-free; waterproof|compound:water proof; self-watering|compound:self watering; hanging; folding; UV resistant; rust proof|compound:rustproof; organic",
    ],
    measures: ["ft.: 3 6 25 50 75 100", "gal.: 1 2 5 50", "lb.: 3 7 20 40", "in.: 6 8 12 16"],
    packs: [2, 3, 5],
    models: 0.1,
  },
  {
    types:
      "door knob|compound:doorknob; deadbolt|compound:dead bolt; door hinge; cabinet hinge; cabinet knob; drawer pull; drawer slide; padlock|compound:pad lock; door stop|compound:doorstop; weather stripping|compound:weatherstripping; mailbox|compound:mail box; house number; curtain rod; window blind; roller shade; picture frame; bookshelf|compound:book shelf; storage bin; laundry basket; shoe rack; coat hook; closet organizer|letters:closet organiser; trash can|compound:trashcan; barn door hardware; handrail bracket|compound:hand rail bracket",
    attributes: [
      finishes,
      "keyed entry; soft close|compound:soft-close; self-closing|compound:self closing; combination; privacy; blackout|compound:black out; adjustable; freestanding|compound:free standing; over the door; concealed",
      "oak; pine; walnut; wire mesh; fabric; bamboo; zinc alloy",
    ],
    measures: ["in.: 1-1/4 3 3-1/2 5 12 24 36 48 66"],
    packs: [2, 4, 10, 25],
    models: 0.25,
  },
  {
    types:
      "extension cord; power strip; surge protector; outlet cover; wire connector; circuit breaker; electrical tape; duct tape; masking tape; paint brush|compound:paintbrush; paint roller; interior paint; exterior paint; wood stain; spray paint; sandpaper|compound:sand paper; silicone caulk; wood glue; wall plate|compound:wallplate; light switch; doorbell|compound:door bell; smoke alarm; furnace filter; drop cloth|compound:dropcloth; primer",
    attributes: [
      "flat; semi-gloss|compound:semi gloss,semigloss; satin; eggshell; high gloss|compound:high-gloss; matte",
      colours,
      "outdoor; heavy duty|compound:heavy-duty; fast drying|compound:fast-drying; paintable; tamper resistant; low odor|letters:low odour; mold resistant|letters:mould resistant; wireless",
    ],
    measures: [
      "gal.: 1 5",
      "oz.: 10 12 32",
      "ft.: 6 10 25 50 100",
      "amp: 15 20 30",
      "in.: 1 2 2-1/2 4 9",
    ],
    packs: [2, 3, 6, 10],
    models: 0.2,
  },
];

export const englishBrands =
  "Tarnholt Kilnwick Brackenford Velmora Ostrander Pikewell Dunmere Halvard Corvane Ridgeholm Sundale Marrowby Fennick Quillon Arden&Pike Stonebeck Lumenor Hydrane Castlewood Wexmore Bellgrove Nordaxe Trivane Oakhurst Plumcrest Vantor Zephyrine Grantley Hollowell Kestrelworks".split(
    " ",
  );

export const englishUnknown =
  "ergonomic indestructible professional luxury premium kids grandma camper rental apartment cottage farmhouse replacement genuine wholesale discounted ergonomically teenager nursery vegan".split(
    " ",
  );

/** Queries of verbose shoppers; # is the product. */
export const englishVerbose = [
  "where can i find a #",
  "i am looking for # for my house",
  "what is the best # to buy",
  "do you sell # in store",
  "# with free shipping please",
  "need # as soon as possible",
  "cheap # for sale near me",
  "how much is a #",
];

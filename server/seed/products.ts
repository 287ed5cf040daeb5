/** A product and the price of each of its sizes, in dollars. All of it is invented. */
export interface Product {
  readonly brand: string
  readonly name: string
  /** The kind of bottle in its picture. */
  readonly kind: string
  readonly description: string
  readonly sizes: Readonly<Record<string, number>>
}

type Row = readonly [brand: string, name: string, description: string, sizes: Record<string, number>]

function ofKind(kind: string, rows: readonly Row[]): Product[] {
  return rows.map(([brand, name, description, sizes]) => ({ brand, name, kind, description, sizes }))
}

export const products: readonly Product[] = [
  ...ofKind('red', [
    [
      'Marrow Hill',
      'Estate Cabernet Sauvignon 2021',
      'Cassis, cedar and a long dry finish',
      { '750 mL': 48, '1.5 L': 104 },
    ],
    [
      'Marrow Hill',
      'Hillside Merlot 2022',
      'Plum and cocoa, from the upper rows',
      { '375 mL': 17, '750 mL': 31 },
    ],
    ['Domaine Tilvaux', 'Pinot Noir "Les Ronces" 2022', 'Sour cherry and forest floor', { '750 mL': 42 }],
    [
      'Domaine Tilvaux',
      'Vieilles Vignes Rouge 2020',
      'Old vines, unfiltered',
      { '750 mL': 64, '1.5 L': 139, '3 L': 310 },
    ],
    ['Ostrava Road', 'Blaufränkisch 2021', 'Blackberry and white pepper', { '750 mL': 26 }],
    [
      'Quinta da Névoa',
      'Tinto Reserva 2019',
      'Touriga Nacional, eighteen months in oak',
      { '750 mL': 29, '1.5 L': 62 },
    ],
    ['Piedra Quieta', 'Malbec de Altura 2022', 'Violets and dark fruit, 1,400 metres up', { '750 mL': 22 }],
    ['Podere Lucciola', 'Sangiovese 2021', 'Red plum, dried herbs', { '375 mL': 14, '750 mL': 25 }],
    ['Wickery', 'House Red (bag in box)', 'Easy and juicy, keeps six weeks', { '3 L': 33, '5 L': 49 }],
  ]),
  ...ofKind('white', [
    [
      'Domaine Tilvaux',
      'Chardonnay "Clos Perdu" 2022',
      'Lemon, hazelnut, chalk',
      { '750 mL': 46, '1.5 L': 98 },
    ],
    ['Saltgrass', 'Albariño 2023', 'Peach skin and sea salt', { '750 mL': 24 }],
    ['Saltgrass', 'Sauvignon Blanc 2023', 'Gooseberry, cut grass', { '375 mL': 12, '750 mL': 21 }],
    ['Ostrava Road', 'Grüner Veltliner 2023', 'Green apple and pepper', { '750 mL': 19, '1 L': 23 }],
    ['Haus Lindenau', 'Riesling Kabinett 2022', 'Feather-light, a touch of sweetness', { '750 mL': 28 }],
    ['Haus Lindenau', 'Riesling Trocken 2022', 'Bone dry, slate and lime', { '750 mL': 30 }],
    ['Podere Lucciola', 'Vermentino 2023', 'Citrus peel and wild fennel', { '750 mL': 20 }],
    ['Wickery', 'House White (bag in box)', 'Crisp and uncomplicated', { '3 L': 31, '5 L': 46 }],
  ]),
  ...ofKind('rose', [
    ['Saltgrass', 'Rosé of Grenache 2023', 'Strawberry and blood orange', { '750 mL': 19, '1.5 L': 41 }],
    ['Mas Cigalette', 'Rosé 2023', 'Pale, dry, thyme and melon', { '750 mL': 23, '1.5 L': 48, '3 L': 99 }],
  ]),
  ...ofKind('sparkling', [
    [
      'Maison Averil',
      'Brut Réserve',
      'Brioche and green apple',
      { '375 mL': 29, '750 mL': 52, '1.5 L': 118 },
    ],
    ['Maison Averil', 'Blanc de Blancs 2017', 'Chardonnay alone, six years on the lees', { '750 mL': 88 }],
    ['Maison Averil', 'Rosé Brut', 'Wild strawberry, fine bubbles', { '750 mL': 61 }],
    ['Podere Lucciola', 'Frizzante Bianco', 'Pear and white flowers', { '750 mL': 18 }],
    ['Celler Pla', 'Brut Nature', 'No sugar added, toasted almond', { '750 mL': 21, '1.5 L': 45 }],
  ]),
  ...ofKind('whiskey', [
    [
      'Copper Anchor',
      'Straight Bourbon',
      'Caramel, orange peel, 92 proof',
      { '375 mL': 24, '750 mL': 42, '1.75 L': 84 },
    ],
    ['Copper Anchor', 'Single Barrel Rye', 'Every barrel on its own, 108 proof', { '750 mL': 68 }],
    ['Copper Anchor', 'Founders’ Reserve 15 Year', 'One release a year', { '750 mL': 189 }],
    ['Inverlour', '12 Year Single Malt', 'Honey and a wisp of smoke', { '50 mL': 9, '750 mL': 62 }],
    ['Inverlour', '18 Year Sherry Cask', 'Raisin, walnut, polished wood', { '750 mL': 148 }],
    ['Ardmoil', 'Peated Cask Strength', 'Bonfire, brine and vanilla', { '750 mL': 94 }],
    ['Slieve Dorn', 'Pot Still Irish Whiskey', 'Green apple, clove, cream', { '750 mL': 57, '1 L': 71 }],
    ['霧坂 Kirisaka', 'Blended Whisky', 'Yuzu, mizunara oak', { '750 mL': 79 }],
  ]),
  ...ofKind('gin', [
    [
      'Juniper Nine',
      'London Dry Gin',
      'Nine botanicals and nothing else',
      { '50 mL': 6, '750 mL': 34, '1 L': 43 },
    ],
    ['Juniper Nine', 'Navy Strength Gin', '57 percent, for long drinks', { '750 mL': 43 }],
    ['Low Tide', 'Coastal Gin', 'Kelp, samphire, grapefruit', { '750 mL': 39 }],
    ['Low Tide', 'Sloe Gin', 'Steeped for half a year', { '375 mL': 22, '750 mL': 38 }],
  ]),
  ...ofKind('vodka', [
    ['North Fathom', 'Winter Wheat Vodka', 'Soft and clean', { '50 mL': 4, '750 mL': 25, '1.75 L': 46 }],
    ['North Fathom', 'Cucumber Vodka', 'Infused, not flavored', { '750 mL': 28 }],
    ['Lisia Polana', 'Rye Vodka', 'Bread crust and pepper', { '750 mL': 31, '1 L': 38 }],
  ]),
  ...ofKind('rum', [
    ['Isla Grana', 'Silver Rum', 'Sugar cane, lime leaf', { '750 mL': 23, '1.75 L': 42 }],
    ['Isla Grana', 'Añejo 8', 'Eight years in bourbon barrels', { '750 mL': 44 }],
    ['Bell & Mizzen', 'Overproof Rum', '126 proof; handle with respect', { '750 mL': 36 }],
    ['Bell & Mizzen', 'Spiced Rum', 'Vanilla, allspice, ginger', { '750 mL': 29, '1.75 L': 52 }],
  ]),
  ...ofKind('tequila', [
    ['Aguja Azul', 'Blanco', 'Cooked agave and citrus', { '375 mL': 27, '750 mL': 47, '1.75 L': 96 }],
    ['Aguja Azul', 'Reposado', 'Seven months in oak', { '750 mL': 56 }],
    ['Aguja Azul', 'Extra Añejo', 'Dark honey, tobacco leaf', { '750 mL': 165 }],
    ['Tres Hornos', 'Mezcal Espadín', 'Earth oven, wood smoke', { '750 mL': 59 }],
  ]),
  ...ofKind('liqueur', [
    ['Vesper & Rue', 'Bitter Orange Aperitivo', 'For the hour before dinner', { '750 mL': 27, '1 L': 33 }],
    ['Vesper & Rue', 'Coffee Liqueur', 'Cold brewed, less sweet', { '375 mL': 19, '750 mL': 32 }],
    ['Vesper & Rue', 'Herbal Amaro', 'Thirty-one plants, one secret', { '750 mL': 36 }],
    ['Haus Lindenau', 'Elderflower Liqueur', 'Picked in a single week in June', { '750 mL': 34 }],
    [
      'Maison Averil',
      'Crème de Cassis',
      'Blackcurrant, nothing shy about it',
      { '375 mL': 16, '750 mL': 28 },
    ],
    ['Dry Vermouth Co.', 'Extra Dry Vermouth', 'Wormwood, lemon balm', { '375 mL': 11, '750 mL': 19 }],
    ['Dry Vermouth Co.', 'Sweet Vermouth', 'Cocoa, orange, bitter root', { '375 mL': 11, '750 mL': 19 }],
  ]),
  ...ofKind('beer', [
    ['Kestrel Row', 'Pale Ale', 'Six bottles; citrus and biscuit', { '6 x 12 oz': 13, '24 x 12 oz': 46 }],
    ['Kestrel Row', 'Oatmeal Stout', 'Six bottles; coffee and cream', { '6 x 12 oz': 14 }],
    ['Kestrel Row', 'Barrel Aged Imperial Stout', 'Bomber; a winter release', { '22 oz': 19 }],
    ['Brasserie Ondine', 'Saison', 'Corked and caged, farmhouse yeast', { '750 mL': 15 }],
    ['Brasserie Ondine', 'Tripel', 'Strong, golden, treacherous', { '750 mL': 17, '4 x 11.2 oz': 18 }],
    ['Haus Lindenau', 'Hefeweizen', 'Banana and clove, cloudy', { '6 x 12 oz': 15 }],
  ]),
  ...ofKind('can', [
    ['Tollbooth', 'Hazy IPA', 'Four tall cans; mango and pine', { '4 x 16 oz': 17, '24 x 16 oz': 92 }],
    ['Tollbooth', 'Pilsner', 'Six cans; crisp as it gets', { '6 x 12 oz': 12, '24 x 12 oz': 44 }],
    ['Tollbooth', 'Sour Cherry Gose', 'Four tall cans; salt and fruit', { '4 x 16 oz': 18 }],
    ['Orchard Ledge', 'Dry Cider', 'Heirloom apples', { '4 x 16 oz': 15, '6 x 12 oz': 14 }],
    ['Pocket Party', 'Paloma in a Can', 'Tequila, grapefruit, lime', { '4 x 355 mL': 16, '8 x 355 mL': 30 }],
    ['Pocket Party', 'Espresso Martini in a Can', 'Nitro, two cans', { '2 x 200 mL': 11 }],
    ['Cloudpath', 'Hard Seltzer, Mixed Case', 'Yuzu, guava, black cherry', { '12 x 355 mL': 21 }],
  ]),
  ...ofKind('mixer', [
    ['Quill & Quinine', 'Tonic Water', 'Real cinchona', { '4 x 200 mL': 7, '24 x 200 mL': 36 }],
    ['Quill & Quinine', 'Ginger Beer', 'Hot enough to notice', { '4 x 200 mL': 7, '24 x 200 mL': 36 }],
    ['Quill & Quinine', 'Club Soda', 'Lively bubbles', { '4 x 200 mL': 6 }],
    ['Small Hours', 'Aromatic Bitters', 'Clove, gentian, cinnamon', { '100 mL': 14 }],
    ['Small Hours', 'Orange Bitters', 'Seville peel', { '100 mL': 14 }],
    ['Small Hours', 'Demerara Syrup', 'Two to one', { '375 mL': 12, '750 mL': 20 }],
    ['Small Hours', 'Grenadine', 'Pomegranate, not corn syrup', { '375 mL': 13 }],
    ['Small Hours', 'Bloody Mary Mix', 'Horseradish and celery', { '1 L': 11 }],
  ]),
]

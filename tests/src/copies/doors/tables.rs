//! Tables of copies: each kind of memory, each door, and the rows that name them.

/// The memory of a side: how it is used, how elements stand in it, its kind, its layout, the side, its units.
#[macro_export]
macro_rules! memory {
    (read plain $($of:tt)*) => {
        $crate::memory! { @ (view slice) (::layout::Strided) () $($of)* }
    };
    (write plain $($of:tt)*) => {
        $crate::memory! { @ (view_mut into_slice) (::layout::StridedMut) () $($of)* }
    };
    (read ($order:ident $bits:literal) $($of:tt)*) => {
        $crate::memory! { $order (packed_view slice)
            (::layout::memory::PackedStrided::<$bits, _>) $($of)* }
    };
    (write ($order:ident $bits:literal) $($of:tt)*) => {
        $crate::memory! { $order (packed_view_mut slice_mut)
            (::layout::memory::PackedStridedMut::<$bits, _>) $($of)* }
    };
    (low $view:tt $strided:tt $($of:tt)*) => { $crate::memory! { @ $view $strided () $($of)* } };
    (high $view:tt $strided:tt $($of:tt)*) => {
        $crate::memory! { @ $view $strided (.high_first()) $($of)* }
    };
    (@ ($view:ident $slice:ident) $strided:tt ($($order:tt)*)
        view $layout:ty, $side:expr, $units:expr) => {
        <$layout>::with_dims($side.size).unwrap().$view($units).unwrap()$($order)*
    };
    (@ ($view:ident $slice:ident) $strided:tt ($($order:tt)*)
        part $layout:ty, $side:expr, $units:expr) => {
        <$layout>::with_dims($side.whole).unwrap().$view($units).unwrap()$($order)*
            .$slice($side.ranges()).unwrap()
    };
    (@ $view:tt ($($strided:tt)*) ($($order:tt)*)
        strided $layout:ty, $side:expr, $units:expr) => {
        $($strided)*::at($units, $side.first(false), $side.size, $side.strides(false))
            .unwrap()$($order)*
    };
    (@ ($view:ident $slice:ident) ($($strided:tt)*) ($($order:tt)*)
        part_of_strided $layout:ty, $side:expr, $units:expr) => {
        $($strided)*::at($units, $side.first(true), $side.whole, $side.strides(true))
            .unwrap()$($order)*.$slice($side.ranges()).unwrap()
    };
    (@ ($view:ident $slice:ident) $strided:tt ()
        value $layout:ty, $side:expr, $units:expr) => {
        $side.value(<$layout>::SHAPE, "value").$view($units).unwrap()
    };
    (@ ($view:ident $slice:ident) $strided:tt ()
        part_of_value $layout:ty, $side:expr, $units:expr) => {
        $side.value(<$layout>::SHAPE, "part_of_value").$view($units).unwrap().$slice($side.ranges()).unwrap()
    };
}

/// A copy through a door, where there is one between such memories: the case, the source and the destination, without units.
#[macro_export]
macro_rules! door {
    (copy_to $case:ident ($($from:tt)*) ($($to:tt)*)) => {
        $case.door("copy_to", &mut |dst, padding| {
            let from = $crate::memory!(read $($from)*, $case.units());
            from.copy_to(&mut $crate::memory!(write $($to)*, dst), padding).unwrap();
            true
        });
    };
    (map_to $case:ident ($($from:tt)*) ($($to:tt)*)) => {
        $case.door("map_to", &mut |dst, padding| {
            let from = $crate::memory!(read $($from)*, $case.units());
            let mut to = $crate::memory!(write $($to)*, dst);
            let function = |index: _, element| {
                $case.mapped(::core::convert::AsRef::<[usize]>::as_ref(&index), element)
            };
            from.map_to(&mut to, padding, function).unwrap();
            $case.all_are_mapped();
            true
        });
    };
    (inline $case:ident ($($from:tt)*) ($($to:tt)*)) => {
        $case.door("in the caller's code", &mut |dst, padding| {
            let from = $crate::memory!(read $($from)*, $case.units());
            let mut to = $crate::memory!(write $($to)*, dst);
            $case.is_inline(::layout::__private::copied_inline(&from, &mut to, padding))
        });
    };
    (row_major $case:ident ($($from:tt)*) $to:tt) => {
        $case.reads($crate::memory!(read $($from)*, $case.units()).to_row_major());
    };
    (get $case:ident ($($from:tt)*) $to:tt) => {
        let from = $crate::memory!(read $($from)*, $case.units());
        $case.gets(&|index| Some(*::core::borrow::Borrow::borrow(&from.get(index)?)));
    };
    (halves $case:ident ($($from:tt)*) ($($to:tt)*)) => {
        $case.parts("halves", &mut |dst| {
            let (dim, at) = $case.cut;
            let from = $crate::memory!(read $($from)*, $case.units());
            let mut to = $crate::memory!(write $($to)*, dst);
            let [mut first, mut second] = to.split_at_mut(dim, at).unwrap();
            let [of_first, of_second] = from.split_at(dim, at).unwrap();
            of_second.copy_to(&mut second, ::layout::Padding::Leave).unwrap();
            of_first.copy_to(&mut first, ::layout::Padding::Leave).unwrap();
        });
    };
    (axis $case:ident ($($from:tt)*) ($($to:tt)*)) => {
        $case.parts("along a dimension", &mut |dst| {
            let from = $crate::memory!(read $($from)*, $case.units());
            let mut to = $crate::memory!(write $($to)*, dst);
            let (dim, _) = $case.cut;
            let parts = from.iter_axis(dim).unwrap().zip(to.iter_axis_mut(dim).unwrap());
            for (number, (part, mut to)) in parts.enumerate() {
                match number % 2 {
                    0 => part.copy_to(&mut to, ::layout::Padding::Leave).unwrap(),
                    _ => part.map_to(&mut to, ::layout::Padding::Leave, |_, x| x).unwrap(),
                }
            }
        });
    };
    // On two threads.
    (boxes $case:ident ($($from:tt)*) ($($to:tt)*)) => {
        $case.parts("boxes", &mut |dst| {
            let from = $crate::memory!(read $($from)*, $case.units());
            let mut to = $crate::memory!(write $($to)*, dst);
            let mut boxes = Vec::from_iter(to.boxes_mut($case.boxes).unwrap());
            let sources = Vec::from_iter(from.boxes($case.boxes).unwrap());
            assert_eq!(boxes.len(), sources.len());
            let middle = boxes.len() / 2;
            let (first, last) = boxes.split_at_mut(middle);
            ::std::thread::scope(|scope| {
                for (boxes, parts) in [(first, &sources[..middle]), (last, &sources[middle..])] {
                    scope.spawn(move || {
                        for (to, part) in boxes.iter_mut().zip(parts) {
                            part.copy_to(to, ::layout::Padding::Leave).unwrap();
                        }
                    });
                }
            });
        });
    };
    (into_halves $case:ident ($($from:tt)*) ($($to:tt)*)) => {
        $case.parts("into halves", &mut |dst| {
            let ((dim, at), mut source) = ($case.cut, $case.source.clone());
            let from = $crate::memory!(write $($from)*, $crate::copies::doors::Slots::units_mut(&mut source));
            let to = $crate::memory!(write $($to)*, dst);
            let halves = to.into_halves(dim, at).unwrap();
            for (mut half, part) in halves.into_iter().zip(from.into_halves(dim, at).unwrap()) {
                part.copy_to(&mut half, ::layout::Padding::Leave).unwrap();
            }
        });
    };
    // New memory is of a layout.
    (new $case:ident ($($from:tt)*) ($t:tt view $layout:ty, $($of:tt)*)) => {
        for value in $case.fills() {
            let from = $crate::memory!(read $($from)*, $case.units());
            let mut memory = vec![::core::mem::MaybeUninit::uninit(); $case.slots()];
            let written = from.write_to::<$layout, _>(memory.as_mut_slice(), value).unwrap();
            $case.made("to memory that held nothing", value, written);
            let mut memory = Vec::new();
            from.write_to::<$layout, _>(&mut memory, value).unwrap();
            assert_eq!(memory.capacity(), memory.len());
            $case.made("to a vector", value, &memory);
        }
    };
    (to $case:ident ($($from:tt)*) ($t:tt view $layout:ty, $($of:tt)*)) => {
        let from = $crate::memory!(read $($from)*, $case.units());
        $case.made("to", Default::default(), from.to::<$layout>().unwrap().as_slice());
    };
    (new_mapped $case:ident ($($from:tt)*) ($t:tt view $layout:ty, $($of:tt)*)) => {
        let from = $crate::memory!(read $($from)*, $case.units());
        let function = |index: _, element| {
            $case.mapped(::core::convert::AsRef::<[usize]>::as_ref(&index), element)
        };
        for value in $case.fills() {
            let mut memory = Vec::new();
            from.write_mapped::<$layout, _, _>(&mut memory, value, function).unwrap();
            $case.all_are_mapped();
            $case.made("mapped to a vector", value, &memory);
        }
        let made = from.to_mapped::<$layout, _>(function).unwrap();
        $case.all_are_mapped();
        $case.made("mapped", Default::default(), made.as_slice());
    };
    (copier $case:ident ($f:tt view $a:ty, $side:expr) ($t:tt view $b:ty, $($of:tt)*)) => {
        let copier = ::layout::Copier::<$a, $b>::new();
        let (size, source) = ($side.size, $case.units());
        $case.door("a copier", &mut |dst, padding| {
            copier.run(size, source, dst, padding).unwrap();
            true
        });
    };
    (copier_new $case:ident ($f:tt view $a:ty, $side:expr) ($t:tt view $b:ty, $($of:tt)*)) => {
        let copier = ::layout::Copier::<$a, $b>::new();
        for value in $case.fills() {
            let mut memory = vec![::core::mem::MaybeUninit::uninit(); $case.slots() + 1];
            let slots = memory.as_mut_slice();
            let written = copier.run($side.size, $case.units(), slots, value).unwrap();
            $case.made("a copier, to memory that held nothing", value, written);
            let mut memory = Vec::new();
            copier.run($side.size, $case.units(), &mut memory, value).unwrap();
            assert_eq!(memory.capacity(), memory.len());
            $case.made("a copier, to a vector", value, &memory);
        }
    };
    (map $case:ident ($f:tt view $a:ty, $side:expr) ($t:tt view $b:ty, $($of:tt)*)) => {
        let copier = ::layout::Copier::<$a, $b>::new();
        $case.door("a copier, by a function", &mut |dst, padding| {
            let function = |index, element| $case.mapped(AsRef::<[usize]>::as_ref(&index), element);
            copier.map($side.size, $case.units(), dst, padding, function).unwrap();
            $case.all_are_mapped();
            true
        });
    };
    // A function that panics: what is there was there before, or is what the function made.
    (panics $case:ident ($f:tt view $a:ty, $side:expr) ($t:tt view $b:ty, $($of:tt)*)) => {
        let copier = ::layout::Copier::<$a, $b>::new();
        $case.panics(&mut |dst, function| {
            let function = |index, element| function(AsRef::<[usize]>::as_ref(&index), element);
            copier.map($side.size, $case.units(), dst, ::layout::Padding::Leave, function).unwrap();
        });
    };
    (constant $case:ident ($f:tt view $a:ty, $($of:tt)*) ($t:tt view $b:ty, $($other:tt)*)) => {
        $case.door("copy", &mut |dst, padding| {
            ::layout::copy::<$a, $b, _>($case.units(), dst, padding).is_ok()
        });
        $case.door("copy with settings", &mut |dst, padding| {
            let source = $case.units();
            ::layout::__private::copy_with::<$a, $b, _>(source, dst, padding, &$case.settings).is_ok()
        });
        $case.parts("copy_const", &mut |dst| {
            ::layout::copies::copy_const::<$a, $b, _>($case.units(), dst);
        });
    };
    ($door:ident $case:ident $from:tt $to:tt) => {};
}

/// Copies between kinds of memory, through each of the doors: of the side `a` in a format to the side `b` in another one.
#[macro_export]
macro_rules! doors {
    ($run:ident, $a:ident $f:tt $from:expr => $b:ident $t:tt $to:expr, $convert:expr, $doors:tt:
        $($froms:tt $A:ty => $tos:tt $B:ty;)*) => {{
        let formats = (&$from, &$to);
        $($crate::doors! { @ ($run $a $f $b $t formats $convert) $froms ($A) $tos ($B) $doors })*
    }};
    (@ $with:tt [$($from:ident)*] $A:tt $tos:tt $B:tt $doors:tt) => {
        $($crate::doors! { @to $with $from $A $tos $B $doors })*
    };
    (@to $with:tt $from:ident $A:tt [$($to:ident)*] $B:tt $doors:tt) => {
        $($crate::doors! { @pair $with $from $A $to $B $doors })*
    };
    (@pair ($run:ident $a:ident $f:tt $b:ident $t:tt $formats:ident $convert:expr)
        $from:ident ($A:ty) $to:ident ($B:ty) [$($door:ident)*]) => {
        let kinds = [stringify!($from), stringify!($to)];
        let of_a = (stringify!($A), $crate::doors!(@shape $from $A) as fn(_) -> _);
        let of_b = (stringify!($B), $crate::doors!(@shape $to $B) as fn(_) -> _);
        let layouts = [of_a, of_b];
        if let Some(case) = $run.case([&$a, &$b], kinds, layouts, $formats, $convert) {
            $($crate::door! { $door case ($f $from $A, $a) ($t $to $B, $b) })*
        }
    };
    (@shape strided $layout:ty) => { |_| None };
    (@shape part_of_strided $layout:ty) => { |_| None };
    (@shape $kind:ident $layout:ty) => { |dims| Some(<$layout>::with_dims(dims).ok()?.shape()) };
}

package expr

// functionFamilies lists the scalar functions, family by family.
func functionFamilies() [][]*Function {
	return [][]*Function{}
}

// operatorFamilies lists the operators.
func operatorFamilies() [][]*Function {
	return [][]*Function{
		comparisonOperators(), intOperators(), floatOperators(), numericOperators(),
	}
}

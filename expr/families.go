package expr

// functionFamilies lists the scalar functions, family by family.
func functionFamilies() [][]*Function {
	return [][]*Function{
		timeFunctions(), clockFunctions(), extractFunctions(), overlapsFunctions(), makeTimeFunctions(), intervalFunctions(), timeTemplateFunctions(), sampleFunctions(),
		textFunctions(), concatFunctions(), likeFunctions(), regexFunctions(),
		sessionFunctions(), catalogFunctions(), arrayFunctions(), arrayJoinFunctions(), identFunctions(),
		mathFunctions(), trigFunctions(), jsonFunctions(), numberTemplateFunctions(), bytesFunctions(),
		bytesPartFunctions(), degreeFunctions(), regexAtFunctions(), jsonChangeFunctions(), jsonObjectFunctions(), toNumberFunctions(),
		unicodeFunctions(), jsonPathFunctions(), timeTZFunctions(), bitStringFunctions(), privilegeFunctions(), bucketFunctions(), hashFunctions(),
	}
}

// operatorFamilies lists the operators.
func operatorFamilies() [][]*Function {
	return [][]*Function{
		comparisonOperators(), intOperators(), floatOperators(), numericOperators(), timeOperators(),
		concatOperators(), likeOperators(), regexOperators(), arrayOperators(), jsonOperators(), jsonChangeOperators(), jsonPathOperators(), timeTZOperators(), bitStringOperators(),
	}
}
